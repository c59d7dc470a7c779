// purpose: have names that lead nowhere lead to an entity
// params: agent_id STRING, id STRING, names LIST<STRING>
// returns: canonical STRING
// mode: write
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})
UNWIND $names AS canonical
MATCH (n:Name {agent_id: $agent_id, canonical: canonical})
WHERE NOT EXISTS { (n)-[:NAMES]->() }
CREATE (n)-[:NAMES]->(e)
SET e.searchText = e.searchText + ' ' + n.surface
RETURN canonical
