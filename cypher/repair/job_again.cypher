// purpose: queue a job again that was given up, or call it done where another does its work
// params: agent_id STRING, id STRING, now ZONED DATETIME
// returns: status STRING
// mode: write
MATCH (j:Job {agent_id: $agent_id, id: $id})
SET j.lock = true
WITH j WHERE j.status = 'failed'
OPTIONAL MATCH (o:Job {agent_id: $agent_id, activeKey: j.kind + ':' + j.subjectId})
SET j.status = CASE WHEN o IS NULL THEN 'queued' ELSE 'done' END, j.activeKey = CASE WHEN o IS NULL THEN j.kind + ':' + j.subjectId END,
  j.attempts = 0, j.progress = 0.0, j.error = null, j.availableAt = $now, j.finishedAt = CASE WHEN o IS NOT NULL THEN $now END
RETURN j.status AS status
