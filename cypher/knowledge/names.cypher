// purpose: which of these canonical names exist, and the entities they lead to
// params: agent_id STRING, names LIST<STRING>
// returns: canonical STRING, id STRING, own STRING, name STRING, type STRING, pinned BOOLEAN
// mode: read
UNWIND $names AS canonical
MATCH (n:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity|ColdEntity)
RETURN canonical, e.id AS id, e.canonicalName AS own, e.name AS name, e.type AS type, e.pinned AS pinned
