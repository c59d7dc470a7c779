// purpose: supersessions by id
// params: agent_id STRING, ids LIST<STRING>
// returns: supersession MAP
// mode: read
UNWIND $ids AS id
MATCH (s:Supersession {agent_id: $agent_id, id: id})
RETURN s {.id, .oldId, .newId, .signals, .confidence, .method, .status, .reason, .createdAt, .decidedAt} AS supersession
