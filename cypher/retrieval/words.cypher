// purpose: texts that match words, with their scores
// params: agent_id STRING, kinds LIST<STRING>, query STRING, scan INTEGER, scan_known INTEGER, project STRING, session_id STRING, beside STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, superseded BOOLEAN, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// fragments: message_visible, memory_visible, fact_visible, summary_visible
// why: what the filters refuse is counted, so that the caller knows whether the index has more; one statement for all kinds, since each costs the driver as much as its search
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'message'
  CALL db.index.fulltext.queryNodes('message_text', $query, {limit: $scan}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN message_visible(n)
    THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'memory'
  CALL db.index.fulltext.queryNodes('memory_text', $query, {limit: $scan_known}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN memory_visible(n)
    THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  CALL db.index.fulltext.queryNodes('attribute_text', $query, {limit: $scan_known}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN fact_visible(n)
    THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'summary'
  CALL db.index.fulltext.queryNodes('summary_text', $query, {limit: $scan_known}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN summary_visible(n)
    THEN [n.id, score] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
