// purpose: note that a session has ended
// params: agent_id STRING, session_id STRING, now ZONED DATETIME
// returns: nothing
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.endedAt = coalesce(s.endedAt, $now), s.idleSince = null
