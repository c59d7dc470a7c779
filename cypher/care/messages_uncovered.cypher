// purpose: how many messages of a stretch of a session are in no summary
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER
// returns: number INTEGER
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
  AND NOT EXISTS { (:Summary)-[:COVERS]->(m) }
RETURN count(m) AS number
