// purpose: memories by id
// params: agent_id STRING, ids LIST<STRING>
// returns: memory MAP
// mode: read
// fragments: memory_row
UNWIND $ids AS id
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
RETURN memory_row(k) AS memory
