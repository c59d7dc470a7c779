// purpose: the ids of passages by their keys
// params: agent_id STRING, keys LIST<STRING>
// returns: id STRING
// mode: read
UNWIND $keys AS key
MATCH (k:Memory {agent_id: $agent_id, contentKey: key})
RETURN k.id AS id
