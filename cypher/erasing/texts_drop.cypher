// purpose: replace properties of nodes, or of relationships, that still hold erased words
// params: agent_id STRING, rows LIST<MAP>
// returns: number INTEGER
// mode: write
// variants: nodes | relationships
CYPHER 25
UNWIND $rows AS row
MATCH (n) // [nodes]
WHERE elementId(n) = row.node AND n.agent_id = $agent_id // [nodes]
// MATCH (a)-[n]->() // [relationships]
// WHERE elementId(n) = row.edge AND a.agent_id = $agent_id // [relationships]
FOREACH (key IN row.keys | SET n[key] = row.instead)
RETURN count(*) AS number
