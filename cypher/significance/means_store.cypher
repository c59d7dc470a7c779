// purpose: keep the mean vectors of sessions that ended before
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: a session to which something was said since has another one
UNWIND $rows AS row
MATCH (s:Session {agent_id: $agent_id, id: row.id})
SET s.lock = true
WITH s, row WHERE s.nextOrdinal = row.through AND s.meanVector IS NULL
SET s.meanVector = row.mean
