// purpose: let skipped sessions pass, so that a job reads them
// params: agent_id STRING, rows LIST<MAP>, job_id STRING
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (s:Session {agent_id: $agent_id, id: row.id})
SET s.lock = true
WITH s, row WHERE s.skippedAt IS NOT NULL
SET s.gate = row.gate, s.endJobId = $job_id, s.toRead = true, s.skippedAt = null
RETURN s.id AS id
