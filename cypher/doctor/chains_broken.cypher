// purpose: sessions in which a message is not linked to the one before it
// params: agent_id STRING, limit INTEGER
// returns: id STRING, number INTEGER
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > '' AND m.ordinal > 0
  AND NOT EXISTS { (b:Message)-[:NEXT]->(m) WHERE b.sessionId = m.sessionId AND b.ordinal = m.ordinal - 1 }
RETURN m.sessionId AS id, count(m) AS number
ORDER BY id LIMIT $limit
