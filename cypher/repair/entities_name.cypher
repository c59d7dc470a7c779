// purpose: give entities without a name their own name back, where no other entity has it
// params: agent_id STRING, limit INTEGER
// returns: id STRING
// mode: write
MATCH (e:Entity)
WHERE e.agent_id = $agent_id AND e.id > '' AND NOT EXISTS { (:Name)-[:NAMES]->(e) }
WITH e ORDER BY e.canonicalName LIMIT $limit
MERGE (n:Name {agent_id: $agent_id, canonical: e.canonicalName})
ON CREATE SET n.surface = e.name
WITH e, n WHERE NOT EXISTS { (n)-[:NAMES]->() }
CREATE (n)-[:NAMES]->(e)
RETURN e.id AS id
