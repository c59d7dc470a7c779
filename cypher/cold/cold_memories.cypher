// purpose: archived memories that hold some of these words, those with most of them first
// params: agent_id STRING, terms LIST<STRING>, vector LIST<FLOAT>, project STRING, session_id STRING, limit INTEGER
// returns: id STRING, sessionId STRING, opening STRING, nearness FLOAT
// mode: read
// fragments: within
// why: the cold tier has no text index on purpose: this plain search runs only on request
MATCH (k:ColdMemory)
WHERE k.agent_id = $agent_id AND k.id > ''
  AND within(k)
WITH k, toLower(k.content) AS text
WITH k, size([term IN $terms WHERE text CONTAINS term]) AS met
WHERE met > 0
WITH k ORDER BY met DESC, k.coldAt DESC, k.id
LIMIT $limit
RETURN k.id AS id, k.sessionId AS sessionId, left(k.content, 1000) AS opening,
  CASE WHEN k.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(k.embedding, $vector) END AS nearness
