// purpose: give the entities of a repository the names they go by, where these are free
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
UNWIND $rows AS row
MATCH (w:Name {agent_id: $agent_id, canonical: row.key})-[:NAMES]->(e:Entity|ColdEntity)
MERGE (n:Name {agent_id: $agent_id, canonical: row.canonical})
ON CREATE SET n.surface = row.surface, n.ofCode = true
WITH n, e
WHERE NOT EXISTS { (n)-[:NAMES]->() }
CREATE (n)-[:NAMES]->(e)
