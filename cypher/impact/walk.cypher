// purpose: edges found by walking from an entity, with or against them, now or as they held on a day, nearest entities first, within caps
// params: agent_id STRING, id STRING, min_confidence FLOAT, types LIST<STRING>, now ZONED DATETIME, node_cap INTEGER, edge_cap INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: looked INTEGER, streamed INTEGER, near LIST<STRING>, far LIST<STRING>, edges LIST<STRING>, confidences LIST<FLOAT>
// mode: read
// literal: depth 0..9
// variants: up | down | up_then | down_then
// fragments: stands_now, edge_held
// why: DISTINCT right behind the walk makes it a pruning breadth-first search, so no path is listed; OPTIONAL keeps leaves, so that a cap shows
// why: one row of lists: 5,000 rows take the driver four times as long as the walk
CYPHER 25
MATCH (s:Entity {agent_id: $agent_id, id: $id})<-[walk:DEPENDS_ON*0../*depth*/0]-(u:Entity) // [up, up_then]
// MATCH (s:Entity {agent_id: $agent_id, id: $id})-[walk:DEPENDS_ON*0../*depth*/0]->(u:Entity) // [down, down_then]
WHERE all(r IN walk WHERE r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types) AND
  stands_now(r) // [up, down]
//   edge_held(r) // [up_then, down_then]
)
WITH DISTINCT u LIMIT $node_cap
OPTIONAL MATCH (u)<-[r:DEPENDS_ON WHERE r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types) AND // [up, up_then]
// OPTIONAL MATCH (u)-[r:DEPENDS_ON WHERE r.confidence >= $min_confidence AND ($types IS NULL OR r.type IN $types) AND // [down, down_then]
  stands_now(r) // [up, down]
//   edge_held(r) // [up_then, down_then]
]-(v:Entity) // [up, up_then]
// ]->(v:Entity) // [down, down_then]
WITH u, v, r LIMIT $edge_cap
RETURN count(DISTINCT u) AS looked, count(*) AS streamed, collect(CASE WHEN v IS NOT NULL THEN u.id END) AS near, collect(v.id) AS far,
  collect(r.id) AS edges, collect(r.confidence) AS confidences
