// purpose: put a session's summary into the DAG, or renew it
// params: agent_id STRING, session_id STRING, dag_key STRING, id STRING, content STRING, tokens INTEGER, sha256 STRING, by STRING, search_text STRING, agent_key STRING, grams STRING, memory_ids LIST<STRING>, entity_ids LIST<STRING>, now ZONED DATETIME
// returns: id STRING, created BOOLEAN
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
MERGE (y:Summary {agent_id: $agent_id, dagKey: $dag_key})
ON CREATE SET y.id = $id, y.kind = 'session', y.depth = 0, y.createdAt = $now, y.status = 'active'
SET y:Unembedded, y.sessionId = $session_id, y.project = s.project, y.content = $content, y.tokens = $tokens, y.sha256 = $sha256, y.by = $by, y.searchText = $search_text,
  y.agentKey = $agent_key, y.grams = $grams, y.updatedAt = $now
MERGE (s)-[:HAS_SUMMARY]->(y)
WITH s, y
CALL (s, y) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  SET y.earliestAt = CASE WHEN y.earliestAt IS NULL OR m.createdAt < y.earliestAt THEN m.createdAt ELSE y.earliestAt END,
      y.latestAt = CASE WHEN y.latestAt IS NULL OR m.createdAt > y.latestAt THEN m.createdAt ELSE y.latestAt END
  MERGE (y)-[c:COVERS]->(m)
  SET c.ordinal = m.ordinal, c.sha256 = m.sha256
}
CALL (y) {
  UNWIND $memory_ids AS memoryId
  MATCH (k:Memory {agent_id: $agent_id, id: memoryId})
  MERGE (y)-[:DERIVED_FROM]->(k)
}
CALL (y) {
  UNWIND $entity_ids AS entityId
  MATCH (e:Entity {agent_id: $agent_id, id: entityId})
  MERGE (y)-[:ABOUT]->(e)
}
RETURN y.id AS id, y.id = $id AS created
