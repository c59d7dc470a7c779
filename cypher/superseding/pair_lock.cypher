// purpose: lock facts and their entities until the transaction ends, and tell what the facts are now
// params: agent_id STRING, ids LIST<STRING>
// returns: fact MAP
// mode: write
// why: the entities first, in the order of their ids, as all who add or retire facts lock them
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})
WITH DISTINCT t, e ORDER BY e.id, t.id
SET e.lock = true
WITH collect(t) AS facts
UNWIND facts AS t
SET t.lock = true
RETURN t {.id,
  rollback: head(COLLECT { MATCH (t)-[l:RETIRED_BY]->(r:Rollback) WHERE l.undoneAt IS NULL RETURN r.id ORDER BY l.at DESC }),
  .status, .kind, .entityId, .content, .supersededBy, .validFrom, .saidAt, .createdAt,
  memoryAway: CASE WHEN EXISTS { (t)-[:DERIVED_FROM]->(:Memory) } THEN null
    ELSE head(COLLECT { MATCH (t)-[:DERIVED_FROM]->(c:ColdMemory) RETURN c.id ORDER BY c.id }) END,
  circle: EXISTS { MATCH (t) (()-[o:SUPERSEDED_BY WHERE o.undoneAt IS NULL]->()){1,20} (x:Attribute) WHERE x.id IN $ids AND x <> t }} AS fact
