// purpose: keep what the gate said of a session that ends, with the session's mean vector
// params: agent_id STRING, session_id STRING, gate STRING, mean LIST<FLOAT>, skipped BOOLEAN, now ZONED DATETIME
// returns: nothing
// mode: write
// why: judgedThrough tells an end that repeats the last one from one behind new messages
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.gate = $gate, s.judgedThrough = s.nextOrdinal, s.meanVector = $mean,
  s.skippedAt = CASE WHEN $skipped THEN $now END, s.endJobId = CASE WHEN $skipped THEN null ELSE s.endJobId END
