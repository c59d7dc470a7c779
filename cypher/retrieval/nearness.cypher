// purpose: how near texts are to a question that was not searched for them, and where messages stand
// params: agent_id STRING, ids LIST<STRING>, vector LIST<FLOAT>
// returns: id STRING, sessionId STRING, ordinal INTEGER, nearness FLOAT
// mode: read
// why: a candidate that came by a link gets its exact nearness too
UNWIND $ids AS id
MATCH (n:Message|Memory|Attribute|Summary {agent_id: $agent_id, id: id})
RETURN id, n.sessionId AS sessionId, n.ordinal AS ordinal,
  CASE WHEN n.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(n.embedding, $vector) END AS nearness
