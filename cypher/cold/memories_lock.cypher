// purpose: lock memories until the transaction ends, and tell what they are now
// params: agent_id STRING, ids LIST<STRING>
// returns: memory MAP
// mode: write
// why: whoever gives a memory a fact sets something on it: while it is locked, it gains none
UNWIND $ids AS id
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
SET k.lock = true
RETURN k {.id, .content, .status, .supersededBy, .coldAt, .coldReason, .coldNote, .coldSourceId,
  .coldAttributeIds, .coldDependencyIds} AS memory
