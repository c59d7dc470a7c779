// purpose: the entities that these canonical names lead to: as rows, as lists, or of a repository those that nobody asked to keep
// params: agent_id STRING, names LIST<STRING>, keys LIST<STRING>
// returns: canonical STRING, id STRING, own STRING, name STRING, type STRING, pinned BOOLEAN // [rows]
// returns: names LIST<STRING>, ids LIST<STRING> // [lists]
// returns: id STRING // [unkept]
// mode: read
// variants: rows | lists | unkept
// why: one row of lists: thousands of rows take the driver longer than the look-up // [lists]
UNWIND $names AS canonical // [rows, lists]
MATCH (n:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity|ColdEntity) // [rows]
// MATCH (n:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity) // [lists]
// UNWIND $keys AS key // [unkept]
// MATCH (n:Name {agent_id: $agent_id, canonical: key})-[:NAMES]->(e:Entity) // [unkept]
RETURN canonical, e.id AS id, e.canonicalName AS own, e.name AS name, e.type AS type, e.pinned AS pinned // [rows]
// RETURN collect(n.canonical) AS names, collect(e.id) AS ids // [lists]
// WHERE NOT e.pinned AND e.kept IS NULL // [unkept]
// RETURN DISTINCT e.id AS id // [unkept]
