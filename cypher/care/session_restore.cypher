// purpose: take the mark of an archived session away
// params: agent_id STRING, session_id STRING, now ZONED DATETIME
// returns: restored BOOLEAN
// mode: write
// why: what was said while it was archived was not read: the session is open again until a chore ends it
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s WHERE s.archivedAt IS NOT NULL
SET s.archivedAt = null, s.endedAt = CASE WHEN s.extractedThrough < s.nextOrdinal THEN null ELSE s.endedAt END
SET s.idleSince = CASE WHEN s.endedAt IS NULL THEN $now END
FOREACH (_ IN CASE WHEN s.nextOrdinal > coalesce(s.analysedThrough, 0) THEN [1] ELSE [] END | SET s:Unanalysed)
RETURN true AS restored
