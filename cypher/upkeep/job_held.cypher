// purpose: of a running job that is ours: keep the lease, go on later, note that it is done, note that it failed
// params: agent_id STRING, id STRING, holder STRING, until ZONED DATETIME, progress FLOAT, input STRING, result STRING, now ZONED DATETIME, error STRING, parked BOOLEAN, again_at ZONED DATETIME
// returns: kept BOOLEAN // [extend]
// returns: status STRING // [back, spare, finish, fail]
// mode: write
// scope: system // [back, spare]
// variants: extend | back | spare | finish | fail
// fragments: next_turn
// why: the SET locks the job before its holder is read: it may just be given away // [extend, back, fail]
// why: the SET locks the job before it is read, so that work asked for in this moment is not lost // [finish]
// why: whoever has the job now, the attempt of this holder was none // [spare]
MATCH (j:Job {agent_id: $agent_id, id: $id})
SET j.lock = true
WITH j WHERE j.status = 'running' AND j.holder = $holder // [extend, back, finish, fail]
SET j.availableAt = $until // [extend]
RETURN true AS kept // [extend]
// next_turn() // [back]
// SET j.status = 'queued', j.turn = turn, j.availableAt = $now, j.attempts = 0, j.progress = $progress, j.input = $input, j.error = null // [back]
// REMOVE j.holder // [back]
// SET j.attempts = CASE WHEN j.attempts > 0 THEN j.attempts - 1 ELSE 0 END // [spare]
// WITH j WHERE j.status = 'running' AND j.holder = $holder // [spare]
// next_turn() // [spare]
// SET j.status = 'queued', j.turn = turn, j.availableAt = $again_at, j.error = $error // [spare]
// REMOVE j.holder // [spare]
// WITH j, coalesce(j.again, false) AS again // [finish]
// SET j.status = CASE WHEN again THEN 'queued' ELSE 'done' END, j.progress = CASE WHEN again THEN 0.0 ELSE 1.0 END, // [finish]
//   j.activeKey = CASE WHEN again THEN j.activeKey END, j.attempts = CASE WHEN again THEN 0 ELSE j.attempts END, // [finish]
//   j.input = $input, j.result = $result, j.error = null, j.availableAt = $now, j.finishedAt = $now // [finish]
// REMOVE j.again, j.holder // [finish]
// SET j.status = CASE WHEN $parked THEN 'failed' ELSE 'queued' END, j.error = $error, j.availableAt = $again_at, // [fail]
//   j.activeKey = CASE WHEN $parked THEN null ELSE j.activeKey END, j.finishedAt = CASE WHEN $parked THEN $now END // [fail]
// REMOVE j.holder // [fail]
// RETURN j.status AS status // [back, spare, finish, fail]
