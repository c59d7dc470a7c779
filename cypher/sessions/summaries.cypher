// purpose: summaries by id
// params: agent_id STRING, ids LIST<STRING>
// returns: summary MAP
// mode: read
UNWIND $ids AS id
MATCH (y:Summary {agent_id: $agent_id, id: id})
RETURN y {.id, .kind, .depth, .project, .sessionId, .content, tokenCount: y.tokens, .earliestAt, .latestAt,
  childCount: COUNT { (y)-[:HAS_CHILD|COVERS]->() },
  parentIds: COLLECT { MATCH (p:Summary)-[:HAS_CHILD]->(y) RETURN p.id ORDER BY p.id },
  predecessorId: head(COLLECT { MATCH (y) (()-[:FOLLOWS]->(b:Summary WHERE b.archivedAt IS NOT NULL)){0,100} ()-[:FOLLOWS]->(p:Summary)
    WHERE p.archivedAt IS NULL RETURN p.id ORDER BY p.latestAt DESC }),
  memoryIds: COLLECT { MATCH (y)-[:DERIVED_FROM]->(k:Memory|ColdMemory) RETURN k.id ORDER BY k.id },
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity|ColdEntity) RETURN e.id ORDER BY e.id }} AS summary
