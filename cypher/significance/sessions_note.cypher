// purpose: let skipped sessions pass, so that a job reads them, or keep the mean vectors of those that ended before
// params: agent_id STRING, rows LIST<MAP>, job_id STRING
// returns: id STRING // [bypass]
// returns: nothing // [means]
// mode: write
// variants: bypass | means
// why: a session to which something was said since has another one // [means]
UNWIND $rows AS row
MATCH (s:Session {agent_id: $agent_id, id: row.id})
SET s.lock = true
WITH s, row WHERE s.skippedAt IS NOT NULL // [bypass]
SET s.gate = row.gate, s.endJobId = $job_id, s.toRead = true, s.skippedAt = null // [bypass]
RETURN s.id AS id // [bypass]
// WITH s, row WHERE s.nextOrdinal = row.through AND s.meanVector IS NULL // [means]
// SET s.meanVector = row.mean // [means]
