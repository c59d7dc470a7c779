// purpose: edges met when walking upstream from an entity, nearest entities first, within caps
// params: agent_id STRING, id STRING, min_confidence FLOAT, types LIST<STRING>, now ZONED DATETIME, node_cap INTEGER, edge_cap INTEGER
// returns: entity STRING, others LIST<STRING>, names LIST<STRING>, kinds LIST<STRING>, edges LIST<STRING>, confidences LIST<FLOAT>
// mode: read
// literal: depth 0..9
// why: DISTINCT right behind the walk makes it a pruning breadth-first search, so no path is listed; OPTIONAL keeps leaves, so that a cap shows
CYPHER 25
MATCH (s:Entity {agent_id: $agent_id, id: $id})<-[walk:DEPENDS_ON*0../*depth*/0]-(u:Entity)
WHERE all(r IN walk WHERE r.activeKey IS NOT NULL AND r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types)
  AND r.validFrom <= $now AND (r.validTo IS NULL OR $now < r.validTo))
WITH DISTINCT u LIMIT $node_cap
OPTIONAL MATCH (u)<-[r:DEPENDS_ON WHERE r.activeKey IS NOT NULL AND r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types)
  AND r.validFrom <= $now AND (r.validTo IS NULL OR $now < r.validTo)]-(v:Entity)
WITH u, v, r LIMIT $edge_cap
RETURN u.id AS entity, collect(v.id) AS others, collect(v.name) AS names, collect(v.type) AS kinds, collect(r.id) AS edges,
  collect(r.confidence) AS confidences
