// purpose: move the mark of what extraction has read, if nobody else did
// params: agent_id STRING, session_id STRING, expected INTEGER, through INTEGER, dropped INTEGER
// returns: moved BOOLEAN
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s WHERE s.extractedThrough = $expected
SET s.extractedThrough = $through, s.dropped = s.dropped + $dropped
RETURN true AS moved
