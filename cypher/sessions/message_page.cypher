// purpose: the messages of a session behind an ordinal, in order
// params: agent_id STRING, session_id STRING, after INTEGER, limit INTEGER
// returns: message MAP
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal > $after
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .content, .contentKind, .toolCalls, .toolCallId, .name, .metadata, .createdAt,
  .ingestedAt, .contentChars, .sha256,
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }} AS message
ORDER BY m.ordinal
LIMIT $limit
