// purpose: texts near to a vector, or that match words, and held on a day, as was known on another, with their scores
// params: agent_id STRING, kinds LIST<STRING>, vector LIST<FLOAT>, scan_known INTEGER, project STRING, session_id STRING, superseded BOOLEAN, as_of ZONED DATETIME, known_at ZONED DATETIME, query STRING
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// variants: near | words
// fragments: fact_begun, fact_replaced, memory_begun, memory_stood, within, near_agent, matching
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'memory'
  near_agent(memory_vector, $scan_known) // [near]
//   matching('memory_text', $scan_known) // [words]
  RETURN count(*) AS seen, collect(CASE WHEN within(n)
    AND memory_begun(n)
    AND ($superseded OR (memory_stood(n))) THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  near_agent(attribute_vector, $scan_known) // [near]
//   matching('attribute_text', $scan_known) // [words]
  RETURN count(*) AS seen, collect(CASE WHEN within(n)
    AND fact_begun(n)
    AND ($superseded OR NOT fact_replaced(n)) THEN [n.id, score] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
