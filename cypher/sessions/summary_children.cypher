// purpose: what a summary was made of, in order: summaries, then messages, with their sizes
// params: agent_id STRING, id STRING, skip INTEGER, limit INTEGER
// returns: kind STRING, id STRING, tokens INTEGER
// mode: read
// why: a session that was compacted is read by its topmost nodes, and by the messages that none of these covers yet
MATCH (y:Summary {agent_id: $agent_id, id: $id})
OPTIONAL MATCH (y)<-[:HAS_SUMMARY]-(s:Session)
WHERE y.kind = 'session'
CALL (y, s) {
  MATCH (y)-[h:HAS_CHILD]->(d:Summary) RETURN 'summary' AS kind, null AS at, h.ordinal AS ordinal, d.id AS id, d.tokens AS tokens
  UNION ALL
  MATCH (s)-[:HAS_COMPACTION]->(d:Summary)
  WHERE d.archivedAt IS NULL AND NOT EXISTS { (:Summary)-[:HAS_CHILD]->(d) }
  RETURN 'summary' AS kind, d.earliestAt AS at, 0 AS ordinal, d.id AS id, d.tokens AS tokens
  UNION ALL
  MATCH (y)-[c:COVERS]->(m:Message)
  WHERE c.ordinal >= coalesce(s.compactedThrough, 0)
  RETURN 'message' AS kind, null AS at, c.ordinal AS ordinal, m.id AS id, m.tokens AS tokens
}
RETURN kind, id, tokens
ORDER BY kind DESC, at, ordinal, id
SKIP $skip LIMIT $limit
