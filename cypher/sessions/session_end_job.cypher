// purpose: note which job ends a session
// params: agent_id STRING, session_id STRING, job_id STRING
// returns: nothing
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.endJobId = $job_id
