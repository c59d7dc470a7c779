// purpose: what a summary is: its beginning, its first parts, and what lies beneath it
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
MATCH (y:Summary {agent_id: $agent_id, id: $id})
RETURN {
  chars: size(y.content),
  preview: left(y.content, $chars),
  metadata: y {.kind, .depth, .by, .project, .sessionId, .earliestAt, .latestAt, .createdAt,
    tokenCount: y.tokens,
    parentIds: COLLECT { MATCH (p:Summary)-[:HAS_CHILD]->(y) RETURN p.id ORDER BY p.id },
    predecessorId: head(COLLECT { MATCH (y)-[:FOLLOWS]->(p:Summary) RETURN p.id ORDER BY p.latestAt DESC })},
  counts: {
    messages: COUNT { MATCH (y)-[:HAS_CHILD*0..8]->(:Summary)-[:COVERS]->(m:Message) RETURN DISTINCT m },
    memories: COUNT { (y)-[:DERIVED_FROM]->(:Memory|ColdMemory) },
    entities: COUNT { (y)-[:ABOUT]->(:Entity|ColdEntity) }},
  depths: COLLECT { MATCH (y)-[:HAS_CHILD*1..8]->(d:Summary) WITH DISTINCT d WITH d.depth AS depth, count(*) AS number
    RETURN {depth: depth, number: number} ORDER BY depth },
  childCount: COUNT { (y)-[:HAS_CHILD|COVERS]->() },
  children: COLLECT {
    MATCH (y)-[h:HAS_CHILD]->(d:Summary)
    RETURN {id: d.id, kind: 'summary', preview: left(d.content, 120)} ORDER BY h.ordinal, d.id LIMIT $children
  } + COLLECT {
    MATCH (y)-[c:COVERS]->(d:Message)
    RETURN {id: d.id, kind: 'message', preview: left(d.searchText, CASE WHEN d.contentChars < 120 THEN d.contentChars + size(coalesce(d.name + ': ', '')) ELSE 120 END)}
    ORDER BY c.ordinal, d.id LIMIT $children
  }
} AS found
