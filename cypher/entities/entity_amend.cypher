// purpose: change what an entity is and whether it is pinned, or pin entities that were pinned where they come from
// params: agent_id STRING, id STRING, type STRING, pinned BOOLEAN, ids LIST<STRING>
// returns: id STRING
// mode: write
// variants: one | pinned
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id}) // [one]
SET e.type = coalesce($type, e.type), e.pinned = coalesce($pinned, e.pinned), e.kept = true // [one]
// UNWIND $ids AS id // [pinned]
// MATCH (e:Entity {agent_id: $agent_id, id: id}) // [pinned]
// SET e.pinned = true // [pinned]
RETURN e.id AS id
