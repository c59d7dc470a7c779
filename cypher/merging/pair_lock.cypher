// purpose: lock entities, their names, and what they are linked to, until the transaction ends
// params: agent_id STRING, ids LIST<STRING>
// returns: ids LIST<STRING>
// mode: write
// why: names in their order, as entities_merge locks them, then entities in the order of their ids: whoever draws, retires or learns waits
UNWIND $ids AS id
MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: id})
CALL (e) {
  RETURN e AS held
  UNION
  MATCH (e)-[:DEPENDS_ON]-(held) RETURN held
}
WITH collect(DISTINCT held) AS all
CALL (all) {
  UNWIND all AS held
  MATCH (n:Name)-[:NAMES]->(held)
  WITH n ORDER BY n.canonical
  SET n.lock = true
}
UNWIND all AS held
WITH held ORDER BY held.id
SET held.lock = true
RETURN collect(held.id) AS ids
