// purpose: one message by the store's own id, or by the id it was brought with
// params: agent_id STRING, id STRING
// returns: message MAP
// mode: read
CALL () {
  MATCH (m:Message {agent_id: $agent_id, id: $id}) RETURN m
  UNION
  MATCH (m:Message {agent_id: $agent_id, messageId: $id}) RETURN m
}
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .content, .contentKind, .toolCalls, .toolCallId, .name, .metadata, .createdAt,
  .ingestedAt, .contentChars, .sha256,
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }} AS message
ORDER BY m.ingestedAt DESC
LIMIT 1
