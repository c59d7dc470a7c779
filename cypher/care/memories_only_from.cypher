// purpose: memories that these sessions say, and no other but archived ones; none that a person gave or pinned
// params: agent_id STRING, session_ids LIST<STRING>, limit INTEGER
// returns: id STRING
// mode: read
UNWIND $session_ids AS sessionId
MATCH (:Session {agent_id: $agent_id, id: sessionId})-[:HAS_MESSAGE]->(:Message)<-[:DERIVED_FROM]-(k:Memory)
WITH DISTINCT k
WHERE NOT coalesce(k.explicit, false) AND NOT coalesce(k.pinned, false)
  AND NOT EXISTS { (k)-[:DERIVED_FROM]->(m:Message) WHERE NOT m.sessionId IN $session_ids AND m.archivedAt IS NULL }
RETURN k.id AS id
ORDER BY id LIMIT $limit
