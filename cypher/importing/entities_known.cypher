// purpose: the entities that names lead to, outside the cold tier
// params: agent_id STRING, names LIST<STRING>
// returns: names LIST<STRING>, ids LIST<STRING>
// mode: read
// why: one row of lists: thousands of rows take the driver longer than the look-up
UNWIND $names AS name
MATCH (n:Name {agent_id: $agent_id, canonical: name})-[:NAMES]->(e:Entity)
RETURN collect(n.canonical) AS names, collect(e.id) AS ids
