// purpose: archive a session, or take the mark of an archived one away
// params: agent_id STRING, session_id STRING, now ZONED DATETIME
// returns: nextOrdinal INTEGER, marked BOOLEAN // [archive]
// returns: restored BOOLEAN // [restore]
// mode: write
// variants: archive | restore
// why: without idleSince no chore ends it, and without the label no worker analyses it, so that nothing is read out of what is put away // [archive]
// why: what was said while it was archived was not read: the session is open again until a chore ends it // [restore]
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s, s.archivedAt IS NULL AS marked // [archive]
SET s.archivedAt = coalesce(s.archivedAt, $now), s.idleSince = null // [archive]
REMOVE s:Unanalysed // [archive]
RETURN s.nextOrdinal AS nextOrdinal, marked // [archive]
// WITH s WHERE s.archivedAt IS NOT NULL // [restore]
// SET s.archivedAt = null, s.endedAt = CASE WHEN s.extractedThrough < s.nextOrdinal THEN null ELSE s.endedAt END // [restore]
// SET s.idleSince = CASE WHEN s.endedAt IS NULL THEN $now END // [restore]
// FOREACH (_ IN CASE WHEN s.nextOrdinal > coalesce(s.analysedThrough, 0) THEN [1] ELSE [] END | SET s:Unanalysed) // [restore]
// RETURN true AS restored // [restore]
