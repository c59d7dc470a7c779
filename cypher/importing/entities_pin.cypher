// purpose: pin entities that were pinned where they come from
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING
// mode: write
UNWIND $ids AS id
MATCH (e:Entity {agent_id: $agent_id, id: id})
SET e.pinned = true
RETURN e.id AS id
