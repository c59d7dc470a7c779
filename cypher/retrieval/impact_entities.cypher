// purpose: names and types of entities
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, name STRING, type STRING
// mode: read
UNWIND $ids AS id
MATCH (e:Entity {agent_id: $agent_id, id: id})
RETURN id, e.name AS name, e.type AS type
