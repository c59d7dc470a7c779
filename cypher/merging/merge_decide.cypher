// purpose: a merge is undone, or a proposed one rejected
// params: agent_id STRING, id STRING, status STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
MATCH (m:Merge {agent_id: $agent_id, id: $id})
SET m.status = $status, m.decidedAt = $now, m.journal = null, m.edgeIds = null
RETURN m.id AS id
