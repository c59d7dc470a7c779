// purpose: Message nodes that match words, best first
// params: agent_id STRING, query STRING, scan INTEGER, project STRING, session_id STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, known_at ZONED DATETIME, limit INTEGER
// returns: id STRING, score FLOAT
// mode: read
// why: with a filter, scan is unbounded: a limit before a filter loses hits
CALL db.index.fulltext.queryNodes('message_text', $query, {limit: $scan}) YIELD node AS n, score
WHERE n.agent_id = $agent_id
  AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND ($role IS NULL OR n.role = $role) AND ($source IS NULL OR n.source = $source)
  AND ($from IS NULL OR n.createdAt >= $from) AND ($to IS NULL OR n.createdAt < $to) AND ($known_at IS NULL OR n.ingestedAt <= $known_at)
WITH n, score ORDER BY score DESC, n.id
LIMIT $limit
RETURN n.id AS id, score
ORDER BY score DESC, id
