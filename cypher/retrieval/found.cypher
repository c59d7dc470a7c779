// purpose: texts near to a vector, of an agent or in one project or session, or that match words, with their scores
// params: agent_id STRING, kinds LIST<STRING>, vector LIST<FLOAT>, scan INTEGER, scan_known INTEGER, project STRING, session_id STRING, beside STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, superseded BOOLEAN, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME, query STRING
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// variants: agent | project | session | words
// fragments: message_visible, memory_visible, fact_visible, summary_visible, near_agent, near_project, near_session, matching
// why: the agent is filtered inside the index; what the filters refuse is counted, so that the caller knows whether the index has more // [agent, project, session]
// why: what the filters refuse is counted, so that the caller knows whether the index has more; one statement for all kinds, since each costs the driver as much as its search // [words]
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'message'
  near_agent(message_vector, $scan) // [agent]
//   near_project(message_vector, $scan) // [project]
//   near_session(message_vector, $scan) // [session]
//   matching('message_text', $scan) // [words]
  RETURN count(*) AS seen, collect(CASE WHEN message_visible(n) THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'memory'
  near_agent(memory_vector, $scan_known) // [agent]
//   near_project(memory_vector, $scan_known) // [project]
//   near_session(memory_vector, $scan_known) // [session]
//   matching('memory_text', $scan_known) // [words]
  RETURN count(*) AS seen, collect(CASE WHEN memory_visible(n) THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  near_agent(attribute_vector, $scan_known) // [agent]
//   near_project(attribute_vector, $scan_known) // [project]
//   near_session(attribute_vector, $scan_known) // [session]
//   matching('attribute_text', $scan_known) // [words]
  RETURN count(*) AS seen, collect(CASE WHEN fact_visible(n) THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'summary'
  near_agent(summary_vector, $scan_known) // [agent]
//   near_project(summary_vector, $scan_known) // [project]
//   near_session(summary_vector, $scan_known) // [session]
//   matching('summary_text', $scan_known) // [words]
  RETURN count(*) AS seen, collect(CASE WHEN summary_visible(n) THEN [n.id, score] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
