// purpose: of entities that a repository no longer has, those that nobody asked to keep
// params: agent_id STRING, keys LIST<STRING>
// returns: id STRING
// mode: read
UNWIND $keys AS key
MATCH (w:Name {agent_id: $agent_id, canonical: key})-[:NAMES]->(e:Entity)
WHERE NOT e.pinned AND e.kept IS NULL
RETURN DISTINCT e.id AS id
