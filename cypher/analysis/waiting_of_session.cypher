// purpose: whether messages of a session wait for analysis
// params: agent_id STRING, session_id STRING
// returns: waiting BOOLEAN
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN s:Unanalysed AS waiting
