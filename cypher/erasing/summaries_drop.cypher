// purpose: erase the summaries of sessions, with the arcs and epochs over them, and single ones
// params: agent_id STRING, session_ids LIST<STRING>, ids LIST<STRING>
// returns: id STRING, kind STRING, sessionId STRING, project STRING
// mode: write
// why: what a later session begins with counts in its savedTokens, and no longer does
CALL () {
  UNWIND $session_ids AS sessionId
  MATCH (:Session {agent_id: $agent_id, id: sessionId})-[:HAS_SUMMARY|HAS_COMPACTION]->(y:Summary)
  RETURN y
  UNION
  UNWIND $session_ids AS sessionId
  MATCH (:Session {agent_id: $agent_id, id: sessionId})-[:HAS_SUMMARY]->(:Summary)<-[:HAS_CHILD*1..2]-(y:Summary)
  RETURN y
  UNION
  UNWIND $ids AS id
  MATCH (y:Summary {agent_id: $agent_id, id: id})
  RETURN y
}
WITH DISTINCT y
CALL (y) {
  MATCH (later:Session)-[:STARTS_WITH]->(y)
  SET later.savedTokens = coalesce(later.savedTokens, 0) + y.tokens
}
WITH y, y.id AS id, y.kind AS kind, y.sessionId AS sessionId, y.project AS project
DETACH DELETE y
RETURN id, kind, sessionId, project
