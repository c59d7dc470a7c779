// purpose: Message nodes nearest to a vector, best first
// params: agent_id STRING, vector LIST<FLOAT>, scan INTEGER, project STRING, session_id STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, known_at ZONED DATETIME, limit INTEGER
// returns: id STRING
// mode: read
// why: the agent is filtered inside the index; an index's own order is approximate, so the exact cosine sorts
CYPHER 25
MATCH (n)
SEARCH n IN (VECTOR INDEX message_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan) SCORE AS s
WITH n
WHERE n.agent_id = $agent_id
  AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND ($role IS NULL OR n.role = $role) AND ($source IS NULL OR n.source = $source)
  AND ($from IS NULL OR n.createdAt >= $from) AND ($to IS NULL OR n.createdAt < $to) AND ($known_at IS NULL OR n.ingestedAt <= $known_at)
RETURN n.id AS id
ORDER BY vector.similarity.cosine(n.embedding, $vector) DESC, id
LIMIT $limit
