// purpose: facts that were deleted or went to the cold tier with their memory, by words, best first
// params: agent_id STRING, query STRING, vector LIST<FLOAT>, scan INTEGER, project STRING, session_id STRING, limit INTEGER
// returns: id STRING, sessionId STRING, opening STRING, nearness FLOAT
// mode: read
// fragments: within
CALL db.index.fulltext.queryNodes('attribute_text', $query, {limit: $scan}) YIELD node AS t, score
WHERE t.agent_id = $agent_id AND t.status IN ['cold', 'deleted']
  AND within(t)
WITH t, score ORDER BY score DESC, t.id
LIMIT $limit
RETURN t.id AS id, t.sessionId AS sessionId, left(t.content, 1000) AS opening,
  CASE WHEN t.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(t.embedding, $vector) END AS nearness
