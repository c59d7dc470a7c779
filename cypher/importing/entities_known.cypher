// purpose: the entities that names lead to, outside the cold tier
// params: agent_id STRING, names LIST<STRING>
// returns: canonical STRING, id STRING
// mode: read
UNWIND $names AS name
MATCH (n:Name {agent_id: $agent_id, canonical: name})-[:NAMES]->(e:Entity)
RETURN n.canonical AS canonical, e.id AS id
