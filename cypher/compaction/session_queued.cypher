// purpose: a session waits no longer: its compaction is a job
// params: agent_id STRING, session_id STRING
// returns: nothing
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
REMOVE s:Uncompacted
