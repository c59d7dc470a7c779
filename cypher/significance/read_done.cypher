// purpose: note that a session which passed by a bypass has been read
// params: agent_id STRING, session_id STRING
// returns: nothing
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.toRead = null
