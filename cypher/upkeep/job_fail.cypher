// purpose: note that a job failed; it is tried again later, or parked
// params: agent_id STRING, id STRING, holder STRING, error STRING, parked BOOLEAN, now ZONED DATETIME, again_at ZONED DATETIME
// returns: status STRING
// mode: write
// why: the SET locks the job before its holder is read: it may just be given away
MATCH (j:Job {agent_id: $agent_id, id: $id})
SET j.lock = true
WITH j WHERE j.status = 'running' AND j.holder = $holder
SET j.status = CASE WHEN $parked THEN 'failed' ELSE 'queued' END, j.error = $error, j.availableAt = $again_at,
  j.activeKey = CASE WHEN $parked THEN null ELSE j.activeKey END, j.finishedAt = CASE WHEN $parked THEN $now END
REMOVE j.holder
RETURN j.status AS status
