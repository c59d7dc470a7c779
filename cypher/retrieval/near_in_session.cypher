// purpose: texts near to a vector in one session, with their similarity
// params: agent_id STRING, kinds LIST<STRING>, vector LIST<FLOAT>, scan INTEGER, scan_known INTEGER, project STRING, session_id STRING, beside STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, superseded BOOLEAN, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// why: the agent is filtered inside the index; what the filters refuse is counted, so that the caller knows whether the index has more
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'message'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX message_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan) SCORE AS s
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id) AND ($beside IS NULL OR n.sessionId <> $beside)
    AND ($role IS NULL OR n.role = $role) AND ($source IS NULL OR n.source = $source)
    AND ($from IS NULL OR n.createdAt >= $from) AND ($to IS NULL OR n.createdAt < $to) AND ($known_at IS NULL OR n.ingestedAt <= $known_at)
    THEN [n.id, s] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'memory'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX memory_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan_known) SCORE AS s
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
    AND ($superseded OR n.status = 'active') AND n.validFrom <= $now AND (n.validTo IS NULL OR $now < n.validTo)
    THEN [n.id, s] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX attribute_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan_known) SCORE AS s
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
    AND ((n.status = 'active' AND n.validFrom <= $now AND (n.validTo IS NULL OR $now < n.validTo))
         OR ($superseded AND n.status = 'superseded'))
    THEN [n.id, s] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'summary'
  MATCH (n)
  SEARCH n IN (VECTOR INDEX summary_vector FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT $scan_known) SCORE AS s
  WITH n, s WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
    AND ($as_of IS NULL OR n.latestAt <= $as_of) AND ($known_at IS NULL OR coalesce(n.updatedAt, n.createdAt) <= $known_at)
    THEN [n.id, s] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
