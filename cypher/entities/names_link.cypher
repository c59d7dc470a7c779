// purpose: have names lead to an entity: those that lead nowhere, or those that lead to no third one
// params: agent_id STRING, id STRING, names LIST<STRING>, from_id STRING, to_id STRING
// returns: canonical STRING
// mode: write
// variants: free | moved
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id}) // [free]
// MATCH (e:Entity|MergedEntity {agent_id: $agent_id, id: $to_id}) // [moved]
UNWIND $names AS canonical
MATCH (n:Name {agent_id: $agent_id, canonical: canonical})
WHERE NOT EXISTS { (n)-[:NAMES]->() } // [free]
// OPTIONAL MATCH (n)-[l:NAMES]->(o) // [moved]
// WITH n, l, o, e, canonical // [moved]
// WHERE o IS NULL OR o.id = $from_id // [moved]
// DELETE l // [moved]
CREATE (n)-[:NAMES]->(e)
SET n.takenAway = null, e.searchText = e.searchText + ' ' + n.surface // [free]
RETURN canonical
