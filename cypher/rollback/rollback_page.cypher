// purpose: ids of roll-backs, newest first
// params: agent_id STRING, entity_id STRING, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: id STRING
// mode: read
MATCH (r:Rollback)
WHERE r.agent_id = $agent_id AND r.createdAt <= $before
  AND (r.createdAt < $before OR r.id < $before_id) AND ($entity_id IS NULL OR r.entityId = $entity_id)
RETURN r.id AS id
ORDER BY r.createdAt DESC, r.id DESC
LIMIT $limit
