// purpose: supersessions, by id or newest first
// params: agent_id STRING, ids LIST<STRING>, status STRING, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: supersession MAP
// mode: read
// variants: ids | page
UNWIND $ids AS id // [ids]
MATCH (s:Supersession {agent_id: $agent_id, id: id}) // [ids]
// MATCH (s:Supersession) // [page]
// WHERE s.agent_id = $agent_id AND s.createdAt <= $before // [page]
//   AND (s.createdAt < $before OR s.id < $before_id) AND ($status IS NULL OR s.status = $status) // [page]
RETURN s {.id, .oldId, .newId, .signals, .confidence, .method, .status, .reason, .createdAt, .decidedAt} AS supersession
// ORDER BY s.createdAt DESC, s.id DESC // [page]
// LIMIT $limit // [page]
