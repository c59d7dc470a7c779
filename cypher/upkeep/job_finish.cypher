// purpose: note that a job is done, or queue it again if it was asked for meanwhile
// params: agent_id STRING, id STRING, holder STRING, result STRING, now ZONED DATETIME
// returns: status STRING
// mode: write
// why: the SET locks the job before it is read, so that work asked for in this moment is not lost
MATCH (j:Job {agent_id: $agent_id, id: $id})
SET j.lock = true
WITH j WHERE j.status = 'running' AND j.holder = $holder
WITH j, coalesce(j.again, false) AS again
SET j.status = CASE WHEN again THEN 'queued' ELSE 'done' END, j.progress = CASE WHEN again THEN 0.0 ELSE 1.0 END,
  j.activeKey = CASE WHEN again THEN j.activeKey END, j.attempts = CASE WHEN again THEN 0 ELSE j.attempts END,
  j.result = $result, j.error = null, j.availableAt = $now, j.finishedAt = $now
REMOVE j.again, j.holder
RETURN j.status AS status
