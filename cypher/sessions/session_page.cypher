// purpose: sessions, newest first: those in use, or the archived ones
// params: agent_id STRING, project STRING, source STRING, archived BOOLEAN, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: session MAP
// mode: read
// fragments: session_row
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.startedAt <= $before
  AND (s.startedAt < $before OR s.id < $before_id)
  AND ($project IS NULL OR s.project = $project) AND ($source IS NULL OR s.source = $source)
  AND (s.archivedAt IS NOT NULL) = $archived
RETURN session_row(s) AS session
ORDER BY s.startedAt DESC, s.id DESC
LIMIT $limit
