// purpose: messages by the store's own ids, each from an offset of its content on, cut
// params: agent_id STRING, rows LIST<MAP>, chars INTEGER, extras INTEGER
// returns: message MAP
// mode: read
// why: times as text, which the driver reads 100 times as fast
// why: the words of parts stand in searchText, behind the name; so the database cuts them as it cuts a plain text
UNWIND $rows AS row
MATCH (m:Message {agent_id: $agent_id, id: row.id})
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .toolCallId, .name, .sha256,
  createdAt: toString(m.createdAt), ingestedAt: toString(m.ingestedAt),
  content: CASE WHEN m.contentKind = 'text' THEN substring(m.content, row.offset, $chars)
    WHEN m.contentKind = 'null' THEN null
    ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')) + row.offset, CASE WHEN m.contentChars < row.offset THEN 0
      WHEN m.contentChars - row.offset < $chars THEN m.contentChars - row.offset ELSE $chars END) END,
  contentChars: m.contentChars,
  parts: CASE WHEN m.contentKind = 'parts' AND row.offset = 0 AND m.contentChars <= $chars AND size(m.content) <= $extras THEN m.content END,
  toolCalls: CASE WHEN size(m.toolCalls) <= $extras THEN m.toolCalls END,
  metadata: CASE WHEN size(m.metadata) <= $extras THEN m.metadata END,
  held: [m.contentKind = 'parts', m.toolCalls IS NOT NULL, m.metadata IS NOT NULL],
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }} AS message
