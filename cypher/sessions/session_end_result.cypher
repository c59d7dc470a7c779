// purpose: what ending a session answered, and how far the session went then
// params: agent_id STRING, session_id STRING
// returns: gate STRING, endedAt ZONED DATETIME, judgedThrough INTEGER, jobId STRING, jobStatus STRING
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
OPTIONAL MATCH (j:Job {agent_id: $agent_id, id: s.endJobId})
RETURN s.gate AS gate, s.endedAt AS endedAt, s.judgedThrough AS judgedThrough, j.id AS jobId, j.status AS jobStatus
