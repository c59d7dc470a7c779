// purpose: merges, newest first
// params: agent_id STRING, status STRING, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: merge MAP
// mode: read
MATCH (m:Merge)
WHERE m.agent_id = $agent_id AND m.createdAt <= $before
  AND (m.createdAt < $before OR m.id < $before_id) AND ($status IS NULL OR m.status = $status)
WITH m ORDER BY m.createdAt DESC, m.id DESC
LIMIT $limit
RETURN m {.id, .fromId, .intoId, .status, .method, .reason, .createdAt, .decidedAt,
  fromName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.fromId}) RETURN e.name }),
  intoName: head(COLLECT { MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: m.intoId}) RETURN e.name })} AS merge
ORDER BY m.createdAt DESC, m.id DESC
