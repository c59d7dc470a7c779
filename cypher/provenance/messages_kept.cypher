// purpose: messages behind one of them, by id, with the hashes of what they said when they came, the salt of their seal, and their payloads
// params: agent_id STRING, after STRING, limit INTEGER
// returns: message MAP
// mode: read
// fragments: message_sealed
// why: a clean-up keeps the hash of the original, which is made again from the payloads
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > $after
RETURN m {message_sealed(m), .content, .contentKind, .toolCalls, .toolCallId, .salt, erased: m.erasedAt IS NOT NULL,
  payloads: COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN [p.sha256, p.where] }} AS message
ORDER BY m.agent_id, m.id LIMIT $limit
