// purpose: what is away, by words, best first: facts deleted or gone with their memory, or memories, by a plain search
// params: agent_id STRING, query STRING, vector LIST<FLOAT>, scan INTEGER, project STRING, session_id STRING, limit INTEGER, terms LIST<STRING>
// returns: id STRING, sessionId STRING, opening STRING, nearness FLOAT
// mode: read
// variants: attributes | memories
// fragments: within, matching
// why: the cold tier has no text index on purpose: this plain search runs only on request // [memories]
matching('attribute_text', $scan) AND n.status IN ['cold', 'deleted'] AND NOT n:Quarantined // [attributes]
// MATCH (n:ColdMemory) // [memories]
// WHERE n.agent_id = $agent_id AND n.id > '' // [memories]
  AND within(n)
WITH n, score ORDER BY score DESC, n.id // [attributes]
// WITH n, toLower(n.content) AS text // [memories]
// WITH n, size([term IN $terms WHERE text CONTAINS term]) AS met // [memories]
// WHERE met > 0 // [memories]
// WITH n ORDER BY met DESC, n.coldAt DESC, n.id // [memories]
LIMIT $limit
RETURN n.id AS id, n.sessionId AS sessionId, left(n.content, 1000) AS opening,
  CASE WHEN n.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(n.embedding, $vector) END AS nearness
