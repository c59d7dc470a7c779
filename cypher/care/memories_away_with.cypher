// purpose: memories that a session says and that went to the cold tier because sessions were archived
// params: agent_id STRING, session_id STRING, limit INTEGER
// returns: id STRING
// mode: read
MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_MESSAGE]->(:Message)<-[:DERIVED_FROM]-(k:ColdMemory {agent_id: $agent_id, coldReason: 'session'})
RETURN DISTINCT k.id AS id
ORDER BY id LIMIT $limit
