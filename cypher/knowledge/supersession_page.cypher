// purpose: supersessions, newest first
// params: agent_id STRING, status STRING, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: supersession MAP
// mode: read
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.createdAt <= $before
  AND (s.createdAt < $before OR s.id < $before_id) AND ($status IS NULL OR s.status = $status)
RETURN s {.id, .oldId, .newId, .signals, .confidence, .method, .status, .reason, .createdAt, .decidedAt} AS supersession
ORDER BY s.createdAt DESC, s.id DESC
LIMIT $limit
