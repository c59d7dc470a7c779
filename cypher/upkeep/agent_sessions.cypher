// purpose: what an agent's sessions come to together: messages by source, tokens, the last rotation, the newest context window
// params: agent_id STRING, limit INTEGER
// returns: sources INTEGER, bySource LIST<LIST>, messages, unknown, tokens INTEGER, rotatedAt ZONED DATETIME, contextWindow INTEGER
// mode: read
// why: sessions count their messages themselves, and there are far fewer of them
CALL () {
  MATCH (s:Session)
  WHERE s.agent_id = $agent_id AND s.id > ''
  WITH s.source AS source, sum(s.messages) AS messages
  ORDER BY messages DESC, source
  RETURN count(*) AS sources, collect([source, messages])[..$limit] AS bySource, sum(messages) AS messages,
    sum(CASE source WHEN 'unknown' THEN messages ELSE 0 END) AS unknown
}
CALL () {
  MATCH (s:Session)
  WHERE s.agent_id = $agent_id AND s.id > ''
  RETURN sum(s.tokens) AS tokens, max(s.rotatedAt) AS rotatedAt
}
CALL () {
  MATCH (s:Session)
  WHERE s.agent_id = $agent_id AND s.id > '' AND s.contextWindow IS NOT NULL
  WITH s ORDER BY s.startedAt DESC, s.id DESC
  LIMIT 1
  RETURN max(s.contextWindow) AS contextWindow
}
RETURN sources, bySource, messages, unknown, tokens, rotatedAt, contextWindow
