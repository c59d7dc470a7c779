// purpose: summaries as hits, with their vectors' nearness to the question
// params: agent_id STRING, ids LIST<STRING>, vector LIST<FLOAT>
// returns: hit MAP, nearness FLOAT
// mode: read
UNWIND $ids AS id
MATCH (y:Summary {agent_id: $agent_id, id: id})
RETURN {id: y.id, text: y.content, sessionId: y.sessionId, createdAt: y.createdAt, status: 'active', messageIds: [], successors: [],
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 }} AS hit,
  CASE WHEN y.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(y.embedding, $vector) END AS nearness
