// purpose: what mentions a merged entity, or is about it, mentions the survivor
// params: agent_id STRING, from_id STRING, into_id STRING, merge_id STRING
// returns: nothing
// mode: write
// why: the merged entity keeps its own: nothing reads them, and undoing takes away what is marked with the merge
MATCH (f:Entity {agent_id: $agent_id, id: $from_id})
MATCH (s:Entity {agent_id: $agent_id, id: $into_id})
CALL (f, s) {
  MATCH (k:Memory|ColdMemory)-[:MENTIONS]->(f)
  WHERE NOT EXISTS { (k)-[:MENTIONS]->(s) }
  WITH DISTINCT k, s
  CREATE (k)-[:MENTIONS {mergeId: $merge_id}]->(s)
}
CALL (f, s) {
  MATCH (m:Message)-[l:MENTIONS]->(f)
  WHERE NOT EXISTS { MATCH (m)-[o:MENTIONS]->(s) WHERE o.start = l.start AND o.end = l.end }
  WITH DISTINCT m, s, l.start AS start, l.end AS end
  CREATE (m)-[:MENTIONS {start: start, end: end, mergeId: $merge_id}]->(s)
}
CALL (f, s) {
  MATCH (y:Summary)-[:ABOUT]->(f)
  WHERE NOT EXISTS { (y)-[:ABOUT]->(s) }
  WITH DISTINCT y, s
  CREATE (y)-[:ABOUT {mergeId: $merge_id}]->(s)
}
