// purpose: change what an entity is, and whether it is pinned
// params: agent_id STRING, id STRING, type STRING, pinned BOOLEAN
// returns: id STRING
// mode: write
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})
SET e.type = coalesce($type, e.type), e.pinned = coalesce($pinned, e.pinned), e.kept = true
RETURN e.id AS id
