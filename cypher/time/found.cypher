// purpose: texts near to a vector, or that match words, and held on a day, as was known on another, with their scores
// params: agent_id STRING, kinds LIST<STRING>, vector LIST<FLOAT>, scan_known INTEGER, project STRING, session_id STRING, superseded BOOLEAN, as_of ZONED DATETIME, known_at ZONED DATETIME // [near]
// params: agent_id STRING, kinds LIST<STRING>, query STRING, scan_known INTEGER, project STRING, session_id STRING, superseded BOOLEAN, as_of ZONED DATETIME, known_at ZONED DATETIME // [words]
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// variants: near | words
// fragments: fact_begun, fact_replaced, memory_begun, memory_stood, within
// why: a statement holds while one of its facts does, and one without facts until another took its place; of facts, belief is on the links: what was undone by then ended nothing, and what is away since was there still
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'memory'
  MATCH (n) // [near]
  SEARCH n IN (VECTOR INDEX memory_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan_known) SCORE AS score // [near]
  WITH n, score WHERE n.agent_id = $agent_id // [near]
//   CALL db.index.fulltext.queryNodes('memory_text', $query, {limit: $scan_known}) YIELD node AS n, score // [words]
//   WHERE n.agent_id = $agent_id // [words]
  RETURN count(*) AS seen, collect(CASE WHEN within(n)
    AND memory_begun(n)
    AND ($superseded OR (memory_stood(n)))
    THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  MATCH (n) // [near]
  SEARCH n IN (VECTOR INDEX attribute_vector FOR $vector WHERE n.agent_id = $agent_id LIMIT $scan_known) SCORE AS score // [near]
  WITH n, score WHERE n.agent_id = $agent_id // [near]
//   CALL db.index.fulltext.queryNodes('attribute_text', $query, {limit: $scan_known}) YIELD node AS n, score // [words]
//   WHERE n.agent_id = $agent_id // [words]
  RETURN count(*) AS seen, collect(CASE WHEN within(n)
    AND fact_begun(n)
    AND ($superseded OR NOT fact_replaced(n))
    THEN [n.id, score] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
