// purpose: Summary nodes nearest to a vector in one project, best first
// params: agent_id STRING, vector LIST<FLOAT>, scan INTEGER, project STRING, session_id STRING, as_of ZONED DATETIME, known_at ZONED DATETIME, limit INTEGER
// returns: id STRING
// mode: read
// why: the agent is filtered inside the index; an index's own order is approximate, so the exact cosine sorts
CYPHER 25
MATCH (n)
SEARCH n IN (VECTOR INDEX summary_vector FOR $vector WHERE n.agent_id = $agent_id AND n.project = $project LIMIT $scan) SCORE AS s
WITH n
WHERE n.agent_id = $agent_id
  AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND ($as_of IS NULL OR n.latestAt <= $as_of) AND ($known_at IS NULL OR coalesce(n.updatedAt, n.createdAt) <= $known_at)
RETURN n.id AS id
ORDER BY vector.similarity.cosine(n.embedding, $vector) DESC, id
LIMIT $limit
