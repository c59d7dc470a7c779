// purpose: how near texts are to a question, and where messages stand
// params: agent_id STRING, ids LIST<STRING>, vector LIST<FLOAT>
// returns: id STRING, sessionId STRING, ordinal INTEGER, nearness FLOAT
// mode: read
// why: every candidate gets its exact nearness, also one that was found by words alone
UNWIND $ids AS id
MATCH (n:Message|Memory|Attribute|Summary {agent_id: $agent_id, id: id})
RETURN id, n.sessionId AS sessionId, n.ordinal AS ordinal,
  CASE WHEN n.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(n.embedding, $vector) END AS nearness
