// purpose: one message by the store's own id, or by the id it was brought with, in any session or in one; its content as text, or as it is stored
// params: agent_id STRING, id STRING, session_id STRING, offset INTEGER, chars INTEGER, extras INTEGER, raw BOOLEAN
// returns: message MAP
// mode: read
// why: times as text, which the driver reads 100 times as fast
// why: the words of parts stand in searchText, behind the name; so the database cuts them as it cuts a plain text
CALL () {
  MATCH (m:Message {agent_id: $agent_id, id: $id}) RETURN m, 0 AS rank
  UNION
  MATCH (m:Message {agent_id: $agent_id, messageId: $id}) RETURN m, 1 AS rank
}
WITH m, rank
WHERE $session_id IS NULL OR m.sessionId = $session_id
WITH m ORDER BY rank, m.ingestedAt DESC
LIMIT 1
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .toolCallId, .name, .sha256,
  createdAt: toString(m.createdAt), ingestedAt: toString(m.ingestedAt),
  content: CASE WHEN $raw OR m.contentKind = 'text' THEN substring(m.content, $offset, $chars)
    WHEN m.contentKind = 'null' THEN null
    ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')) + $offset, CASE WHEN m.contentChars < $offset THEN 0
      WHEN m.contentChars - $offset < $chars THEN m.contentChars - $offset ELSE $chars END) END,
  contentChars: CASE WHEN $raw THEN size(m.content) ELSE m.contentChars END,
  parts: CASE WHEN m.contentKind = 'parts' AND NOT $raw AND $offset = 0 AND m.contentChars <= $chars AND size(m.content) <= $extras THEN m.content END,
  toolCalls: CASE WHEN size(m.toolCalls) <= $extras THEN m.toolCalls END,
  metadata: CASE WHEN size(m.metadata) <= $extras THEN m.metadata END,
  held: [m.contentKind = 'parts' AND NOT $raw, m.toolCalls IS NOT NULL, m.metadata IS NOT NULL],
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }} AS message
