// purpose: texts that match words and held on a day, as was known on another, with their scores
// params: agent_id STRING, kinds LIST<STRING>, query STRING, scan_known INTEGER, project STRING, session_id STRING, superseded BOOLEAN, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: kind STRING, seen INTEGER, found LIST<LIST>
// mode: read
// why: a statement holds while one of its facts does, and one without facts until another took its place; of facts, belief is on the links: what was undone by then ended nothing, and what is away since was there still
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'memory'
  CALL db.index.fulltext.queryNodes('memory_text', $query, {limit: $scan_known}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
    AND n.createdAt <= $known_at AND n.validFrom <= $as_of
    AND coalesce($as_of < CASE WHEN 'superseded' IN [n.status, n.coldStatus] THEN n.ownValidTo ELSE n.validTo END, true)
    AND ($superseded OR (NOT (EXISTS { (n)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at }
      AND NOT EXISTS { (n)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
      AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
      AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
      AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of }) })
      AND NOT EXISTS { MATCH (r:Memory|ColdMemory {agent_id: $agent_id, id: n.supersededBy}) WHERE r.createdAt <= $known_at AND r.validFrom <= $as_of }))
    THEN [n.id, score] END) AS found
  UNION ALL
  WITH kind WHERE kind = 'attribute'
  CALL db.index.fulltext.queryNodes('attribute_text', $query, {limit: $scan_known}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  RETURN count(*) AS seen, collect(CASE WHEN ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
    AND n.createdAt <= $known_at AND n.validFrom <= $as_of
    AND coalesce($as_of < CASE WHEN 'superseded' IN [n.status, n.coldStatus] THEN n.ownValidTo ELSE n.validTo END, true)
    AND (n.status IN ['active', 'superseded'] OR $known_at < coalesce(n.coldAt, n.retiredAt))
    AND ($superseded OR NOT EXISTS { (n)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of })
    THEN [n.id, score] END) AS found
}
WITH kind, seen, found WHERE seen > 0
RETURN kind, seen, found
