// purpose: the entities with a name that begins so, shortest names first
// params: agent_id STRING, beginning STRING, limit INTEGER
// returns: canonical STRING, id STRING, own STRING, name STRING, type STRING, pinned BOOLEAN
// mode: read
MATCH (n:Name {agent_id: $agent_id})-[:NAMES]->(e:Entity|ColdEntity)
WHERE n.canonical STARTS WITH $beginning
WITH n, e ORDER BY size(n.canonical), n.canonical
LIMIT $limit
RETURN n.canonical AS canonical, e.id AS id, e.canonicalName AS own, e.name AS name, e.type AS type, e.pinned AS pinned
