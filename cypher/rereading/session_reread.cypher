// purpose: note which extractor has read a session, if nobody read on meanwhile
// params: agent_id STRING, session_id STRING, through INTEGER, extractor STRING
// returns: noted BOOLEAN
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s WHERE s.extractedThrough = $through
SET s.extractor = $extractor
RETURN true AS noted
