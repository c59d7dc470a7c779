// purpose: what a summary was made of, in order: summaries, then messages, with their sizes
// params: agent_id STRING, id STRING, skip INTEGER, limit INTEGER
// returns: kind STRING, id STRING, tokens INTEGER
// mode: read
MATCH (y:Summary {agent_id: $agent_id, id: $id})
CALL (y) {
  MATCH (y)-[h:HAS_CHILD]->(d:Summary) RETURN 'summary' AS kind, h.ordinal AS ordinal, d.id AS id, d.tokens AS tokens
  UNION ALL
  MATCH (y)-[c:COVERS]->(m:Message) RETURN 'message' AS kind, c.ordinal AS ordinal, m.id AS id, m.tokens AS tokens
}
RETURN kind, id, tokens
ORDER BY kind DESC, ordinal, id
SKIP $skip LIMIT $limit
