// purpose: hang sessions' summaries on their sessions again, over all of their messages
// params: agent_id STRING, limit INTEGER
// returns: id STRING
// mode: write
MATCH (y:Summary {kind: 'session'})
WHERE y.agent_id = $agent_id AND NOT EXISTS { (:Session)-[:HAS_SUMMARY]->(y)-[:COVERS]->(:Message) }
MATCH (s:Session {agent_id: $agent_id, id: y.sessionId})
WHERE EXISTS { (s)-[:HAS_MESSAGE]->(:Message) }
WITH y, s ORDER BY y.id LIMIT $limit
MERGE (s)-[:HAS_SUMMARY]->(y)
WITH y, s
CALL (y, s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  MERGE (y)-[c:COVERS]->(m)
  SET c.ordinal = m.ordinal
}
RETURN y.id AS id
