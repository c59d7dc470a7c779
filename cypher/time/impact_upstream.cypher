// purpose: edges that held on a day, as was known on another, met when walking upstream from an entity, within caps
// params: agent_id STRING, id STRING, min_confidence FLOAT, types LIST<STRING>, node_cap INTEGER, edge_cap INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: looked INTEGER, streamed INTEGER, near LIST<STRING>, far LIST<STRING>, edges LIST<STRING>, confidences LIST<FLOAT>
// mode: read
// literal: depth 0..9
// why: DISTINCT right behind the walk makes it a pruning breadth-first search, so no path is listed; OPTIONAL keeps leaves, so that a cap shows
// why: one row of lists: 5,000 rows take the driver four times as long as the walk
CYPHER 25
MATCH (s:Entity {agent_id: $agent_id, id: $id})<-[walk:DEPENDS_ON*0../*depth*/0]-(u:Entity)
WHERE all(r IN walk WHERE r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types)
  AND r.createdAt <= $known_at AND r.validFrom <= $as_of
  AND (r.status IN ['active', 'superseded'] OR $known_at < coalesce(r.deletedAt, r.retiredAt))
  AND NOT coalesce((r.status = 'active' OR r.retiredAt <= $known_at) AND r.validTo <= $as_of, false)
  AND NOT any(i IN range(0, size(coalesce(r.retiredFrom, [])) - 1)
    WHERE r.retiredFrom[i] <= $known_at AND $known_at < r.retiredUntil[i] AND r.retiredEnd[i] <= $as_of))
WITH DISTINCT u LIMIT $node_cap
OPTIONAL MATCH (u)<-[r:DEPENDS_ON WHERE r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types)
  AND r.createdAt <= $known_at AND r.validFrom <= $as_of
  AND (r.status IN ['active', 'superseded'] OR $known_at < coalesce(r.deletedAt, r.retiredAt))
  AND NOT coalesce((r.status = 'active' OR r.retiredAt <= $known_at) AND r.validTo <= $as_of, false)
  AND NOT any(i IN range(0, size(coalesce(r.retiredFrom, [])) - 1)
    WHERE r.retiredFrom[i] <= $known_at AND $known_at < r.retiredUntil[i] AND r.retiredEnd[i] <= $as_of)]-(v:Entity)
WITH u, v, r LIMIT $edge_cap
RETURN count(DISTINCT u) AS looked, count(*) AS streamed, collect(CASE WHEN v IS NOT NULL THEN u.id END) AS near, collect(v.id) AS far,
  collect(r.id) AS edges, collect(r.confidence) AS confidences
