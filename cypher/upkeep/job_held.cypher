// purpose: of a running job that is ours: keep the lease, note that it is done, note that it failed
// params: agent_id STRING, id STRING, holder STRING, until ZONED DATETIME, progress FLOAT, input STRING, result STRING, now ZONED DATETIME, error STRING, parked BOOLEAN, again_at ZONED DATETIME
// returns: kept BOOLEAN // [extend]
// returns: status STRING // [finish, fail]
// mode: write
// variants: extend | finish | fail
// why: the SET locks the job before its holder is read: it may just be given away // [extend, fail]
// why: the SET locks the job before it is read, so that work asked for in this moment is not lost // [finish]
MATCH (j:Job {agent_id: $agent_id, id: $id})
SET j.lock = true
WITH j WHERE j.status = 'running' AND j.holder = $holder
SET j.availableAt = $until, j.progress = $progress, j.input = coalesce($input, j.input) // [extend]
RETURN true AS kept // [extend]
// WITH j, coalesce(j.again, false) AS again // [finish]
// SET j.status = CASE WHEN again THEN 'queued' ELSE 'done' END, j.progress = CASE WHEN again THEN 0.0 ELSE 1.0 END, // [finish]
//   j.activeKey = CASE WHEN again THEN j.activeKey END, j.attempts = CASE WHEN again THEN 0 ELSE j.attempts END, // [finish]
//   j.result = $result, j.error = null, j.availableAt = $now, j.finishedAt = $now // [finish]
// REMOVE j.again, j.holder // [finish]
// SET j.status = CASE WHEN $parked THEN 'failed' ELSE 'queued' END, j.error = $error, j.availableAt = $again_at, // [fail]
//   j.activeKey = CASE WHEN $parked THEN null ELSE j.activeKey END, j.finishedAt = CASE WHEN $parked THEN $now END // [fail]
// REMOVE j.holder // [fail]
// RETURN j.status AS status // [finish, fail]
