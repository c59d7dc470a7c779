// purpose: change the weight of a fact and whether it is pinned
// params: agent_id STRING, id STRING, importance FLOAT, pinned BOOLEAN
// returns: before MAP, after MAP
// mode: write
MATCH (t:Attribute {agent_id: $agent_id, id: $id, status: 'active'})
WITH t, t {.importance, .pinned} AS before
SET t.importance = coalesce($importance, t.importance), t.pinned = coalesce($pinned, t.pinned), t.kept = true
RETURN before, t {.importance, .pinned} AS after
