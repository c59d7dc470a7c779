// purpose: one summary
// params: agent_id STRING, id STRING
// returns: summary MAP
// mode: read
MATCH (y:Summary {agent_id: $agent_id, id: $id})
RETURN y {.id, .kind, .depth, .project, .sessionId, .content, tokenCount: y.tokens, .earliestAt, .latestAt,
  childCount: COUNT { (y)-[:HAS_CHILD|COVERS]->() },
  parentIds: COLLECT { MATCH (p:Summary)-[:HAS_CHILD]->(y) RETURN p.id ORDER BY p.id },
  predecessorId: head(COLLECT { MATCH (y)-[:FOLLOWS]->(p:Summary) RETURN p.id ORDER BY p.latestAt DESC }),
  memoryIds: COLLECT { MATCH (y)-[:DERIVED_FROM]->(k:Memory) RETURN k.id ORDER BY k.id },
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity) RETURN e.id ORDER BY e.id }} AS summary
