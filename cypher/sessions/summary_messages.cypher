// purpose: the messages a summary covers, in order, behind an ordinal
// params: agent_id STRING, id STRING, after INTEGER, limit INTEGER
// returns: message MAP
// mode: read
MATCH (y:Summary {agent_id: $agent_id, id: $id})-[c:COVERS]->(m:Message)
WHERE c.ordinal > $after
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .content, .contentKind, .toolCalls, .toolCallId, .name, .metadata, .createdAt,
  .ingestedAt, .contentChars, .sha256,
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }} AS message
ORDER BY c.ordinal
LIMIT $limit
