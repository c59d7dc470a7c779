// purpose: record a roll-back of an entity
// params: agent_id STRING, id STRING, entity_id STRING, to ZONED DATETIME, reason STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
CREATE (r:Rollback {agent_id: $agent_id, id: $id, entityId: $entity_id, to: $to, status: 'applied', createdAt: $now})
SET r.reason = $reason
RETURN r.id AS id
