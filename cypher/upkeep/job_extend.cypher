// purpose: keep a lease on a running job, and note how far it came
// params: agent_id STRING, id STRING, holder STRING, until ZONED DATETIME, progress FLOAT, input STRING
// returns: kept BOOLEAN
// mode: write
// why: the SET locks the job before its holder is read: it may just be given away
MATCH (j:Job {agent_id: $agent_id, id: $id})
SET j.lock = true
WITH j WHERE j.status = 'running' AND j.holder = $holder
SET j.availableAt = $until, j.progress = $progress, j.input = coalesce($input, j.input)
RETURN true AS kept
