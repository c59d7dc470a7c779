// purpose: move a session's frontier, if nobody else did
// params: agent_id STRING, session_id STRING, expected INTEGER, frontier INTEGER, now ZONED DATETIME
// returns: frontier INTEGER
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s WHERE coalesce(s.frontier, 0) = $expected AND s.nextOrdinal >= $frontier
SET s.frontier = $frontier, s.rotatedAt = $now
RETURN s.frontier AS frontier
