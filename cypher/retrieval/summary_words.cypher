// purpose: Summary nodes that match words, best first
// params: agent_id STRING, query STRING, scan INTEGER, project STRING, session_id STRING, as_of ZONED DATETIME, known_at ZONED DATETIME, limit INTEGER
// returns: id STRING, score FLOAT
// mode: read
// why: with a filter, scan is unbounded: a limit before a filter loses hits
CALL db.index.fulltext.queryNodes('summary_text', $query, {limit: $scan}) YIELD node AS n, score
WHERE n.agent_id = $agent_id
  AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND ($as_of IS NULL OR n.latestAt <= $as_of) AND ($known_at IS NULL OR coalesce(n.updatedAt, n.createdAt) <= $known_at)
WITH n, score ORDER BY score DESC, n.id
LIMIT $limit
RETURN n.id AS id, score
ORDER BY score DESC, id
