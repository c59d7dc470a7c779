// purpose: the messages of a session behind an ordinal, in order, cut
// params: agent_id STRING, session_id STRING, after INTEGER, limit INTEGER, chars INTEGER, extras INTEGER
// returns: message MAP
// mode: read
// why: times as text, which the driver reads 100 times as fast
// why: the words of parts stand in searchText, behind the name; so the database cuts them as it cuts a plain text
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal > $after
WITH m ORDER BY m.ordinal
LIMIT $limit
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .toolCallId, .name, .sha256,
  createdAt: toString(m.createdAt), ingestedAt: toString(m.ingestedAt),
  content: CASE WHEN m.contentKind = 'text' THEN substring(m.content, 0, $chars)
    WHEN m.contentKind = 'null' THEN null
    ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')) + 0, CASE WHEN m.contentChars < 0 THEN 0
      WHEN m.contentChars - 0 < $chars THEN m.contentChars - 0 ELSE $chars END) END,
  contentChars: m.contentChars,
  parts: CASE WHEN m.contentKind = 'parts' AND m.contentChars <= $chars AND size(m.content) <= $extras THEN m.content END,
  toolCalls: CASE WHEN size(m.toolCalls) <= $extras THEN m.toolCalls END,
  metadata: CASE WHEN size(m.metadata) <= $extras THEN m.metadata END,
  held: [m.contentKind = 'parts', m.toolCalls IS NOT NULL, m.metadata IS NOT NULL],
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }} AS message
