// purpose: texts near to a vector, of an agent or in one project or session, with their similarity
// params: agent_id STRING, kinds LIST<STRING>, vector LIST<FLOAT>, scan INTEGER, scan_known INTEGER, project STRING, session_id STRING, beside STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, superseded BOOLEAN, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// variants: agent | project | session
// fragments: message_visible, memory_visible, fact_visible, summary_visible
// why: the agent is filtered inside the index; what the filters refuse is counted, so that the caller knows whether the index has more
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'message'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX message_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan) SCORE AS s // [agent]
//   SEARCH n IN (VECTOR INDEX message_vector FOR $vector WHERE n.agent_id = $agent_id AND n.project = $project LIMIT $scan) SCORE AS s // [project]
//   SEARCH n IN (VECTOR INDEX message_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan) SCORE AS s // [session]
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN message_visible(n)
    THEN [n.id, s] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'memory'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX memory_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan_known) SCORE AS s // [agent]
//   SEARCH n IN (VECTOR INDEX memory_vector FOR $vector WHERE n.agent_id = $agent_id AND n.project = $project LIMIT $scan_known) SCORE AS s // [project]
//   SEARCH n IN (VECTOR INDEX memory_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan_known) SCORE AS s // [session]
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN memory_visible(n)
    THEN [n.id, s] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX attribute_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan_known) SCORE AS s // [agent]
//   SEARCH n IN (VECTOR INDEX attribute_vector FOR $vector WHERE n.agent_id = $agent_id AND n.project = $project LIMIT $scan_known) SCORE AS s // [project]
//   SEARCH n IN (VECTOR INDEX attribute_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan_known) SCORE AS s // [session]
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN fact_visible(n)
    THEN [n.id, s] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'summary'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX summary_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan_known) SCORE AS s // [agent]
//   SEARCH n IN (VECTOR INDEX summary_vector FOR $vector WHERE n.agent_id = $agent_id AND n.project = $project LIMIT $scan_known) SCORE AS s // [project]
//   SEARCH n IN (VECTOR INDEX summary_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan_known) SCORE AS s // [session]
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN summary_visible(n)
    THEN [n.id, s] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
