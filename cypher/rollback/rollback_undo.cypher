// purpose: a roll-back is undone
// params: agent_id STRING, id STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
MATCH (r:Rollback {agent_id: $agent_id, id: $id, status: 'applied'})
SET r.status = 'undone', r.undoneAt = $now
RETURN r.id AS id
