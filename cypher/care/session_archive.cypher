// purpose: mark a session as archived; how many messages it has
// params: agent_id STRING, session_id STRING, now ZONED DATETIME
// returns: nextOrdinal INTEGER, marked BOOLEAN
// mode: write
// why: without idleSince no chore ends it, and without the label no worker analyses it, so that nothing is read out of what is put away
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s, s.archivedAt IS NULL AS marked
SET s.archivedAt = coalesce(s.archivedAt, $now), s.idleSince = null
REMOVE s:Unanalysed
RETURN s.nextOrdinal AS nextOrdinal, marked
