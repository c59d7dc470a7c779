// purpose: change the weight of a memory and whether it is pinned, and of the active facts it states
// params: agent_id STRING, id STRING, importance FLOAT, pinned BOOLEAN
// returns: before MAP, after MAP, facts LIST<MAP>
// mode: write
// why: what protects a memory protects its facts: one of a pinned memory is pinned, and stays so while any of its memories is
MATCH (k:Memory {agent_id: $agent_id, id: $id})
WITH k, k {.importance, .pinned} AS before
SET k.importance = coalesce($importance, k.importance), k.pinned = coalesce($pinned, k.pinned), k.kept = true
WITH k, before
CALL (k) {
  MATCH (k)<-[:DERIVED_FROM]-(t:Attribute {status: 'active'})
  WITH t, t {.importance, .pinned} AS was,
    EXISTS { MATCH (t)-[:DERIVED_FROM]->(o:Memory {pinned: true}) WHERE o <> k } AS heldByOther ORDER BY t.id
  SET t.importance = coalesce($importance, t.importance), t.pinned = coalesce($pinned OR heldByOther, t.pinned)
  RETURN collect({id: t.id, before: was, after: t {.importance, .pinned}}) AS facts
}
RETURN before, k {.importance, .pinned} AS after, facts
