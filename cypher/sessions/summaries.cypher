// purpose: summaries, by id, newest first, or those before one, nearest first; with a source those above a message from there
// params: agent_id STRING, ids LIST<STRING>, project STRING, kind STRING, session_id STRING, source STRING, before ZONED DATETIME, before_id STRING, back INTEGER, limit INTEGER, id STRING
// returns: summary MAP
// mode: read
// variants: ids | page | before
// why: the shortest way to each, since sessions that came late leave more than one way back // [before]
UNWIND $ids AS id // [ids]
MATCH (y:Summary {agent_id: $agent_id, id: id}) // [ids]
// MATCH (y:Summary) // [page]
// WHERE y.agent_id = $agent_id AND y.id > '' AND y.latestAt <= $before // [page]
//   AND (y.latestAt < $before OR y.id < $before_id) // [page]
//   AND ($project IS NULL OR y.project = $project) AND ($kind IS NULL OR y.kind = $kind) // [page]
// MATCH way = ANY SHORTEST (:Summary {agent_id: $agent_id, id: $id})-[:FOLLOWS]->+(y:Summary) // [before]
// WHERE y.agent_id = $agent_id AND y.id > '' AND ($project IS NULL OR y.project = $project) AND ($kind IS NULL OR y.kind = $kind) // [before]
//   AND ($session_id IS NULL OR y.sessionId = $session_id) // [page, before]
//   AND y.archivedAt IS NULL AND ($source IS NULL OR EXISTS { MATCH (y)-[:HAS_CHILD*0..8]->(:Summary)-[:COVERS]->(m:Message) WHERE m.source = $source }) // [page, before]
// WITH y ORDER BY y.latestAt DESC, y.id DESC // [page]
// WITH y ORDER BY length(way), y.latestAt DESC, y.id DESC // [before]
// SKIP $back LIMIT $limit // [page, before]
RETURN y {.id, .kind, .depth, .project, .sessionId, .content, tokenCount: y.tokens, .earliestAt, .latestAt,
  stale: coalesce(y.stale, false) OR EXISTS { MATCH (y)-[:STATES]->(t:Attribute) WHERE t.status <> 'active' },
  childCount: COUNT { (y)-[:HAS_CHILD]->() }
    + COUNT { MATCH (y)<-[:HAS_SUMMARY]-(:Session)-[:HAS_COMPACTION]->(t:Summary)
      WHERE y.kind = 'session' AND t.archivedAt IS NULL AND NOT EXISTS { (:Summary)-[:HAS_CHILD]->(t) } }
    + CASE WHEN EXISTS { MATCH (y)<-[:HAS_SUMMARY]-(s:Session) WHERE y.kind = 'session' AND s.compactedThrough > 0 }
      THEN COUNT { MATCH (y)<-[:HAS_SUMMARY]-(s:Session) MATCH (y)-[c:COVERS]->() WHERE c.ordinal >= s.compactedThrough }
      ELSE COUNT { (y)-[:COVERS]->() } END,
  parentIds: COLLECT { MATCH (p:Summary)-[:HAS_CHILD]->(y) RETURN p.id ORDER BY p.id }
    + COLLECT { MATCH (y)<-[:HAS_COMPACTION]-(:Session)-[:HAS_SUMMARY]->(p:Summary {kind: 'session'})
      WHERE NOT EXISTS { (:Summary)-[:HAS_CHILD]->(y) } RETURN p.id },
  predecessorId: head(COLLECT { MATCH (y) (()-[:FOLLOWS]->(b:Summary WHERE b.archivedAt IS NOT NULL)){0,100} ()-[:FOLLOWS]->(p:Summary)
    WHERE p.archivedAt IS NULL RETURN p.id ORDER BY p.latestAt DESC }),
  memoryIds: COLLECT { MATCH (y)-[:DERIVED_FROM]->(k:Memory|ColdMemory) RETURN k.id ORDER BY k.id },
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity|ColdEntity) RETURN e.id ORDER BY e.id }} AS summary
