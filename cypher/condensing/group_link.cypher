// purpose: join an arc or an epoch to what it was made of: its children, statements and facts, the entities of its children, the one before it
// params: agent_id STRING, id STRING, child_ids LIST<STRING>, lines LIST<MAP>, follows_key STRING
// returns: nothing
// mode: write
MATCH (y:Summary {agent_id: $agent_id, id: $id})
CALL (y) {
  UNWIND range(0, size($child_ids) - 1) AS place
  MATCH (d:Summary {agent_id: $agent_id, id: $child_ids[place]})
  MERGE (y)-[h:HAS_CHILD]->(d)
  SET h.ordinal = place, h.agent_id = $agent_id, h.sha256 = d.sha256
  WITH y, min(d.earliestAt) AS earliest, max(d.latestAt) AS latest
  SET y.earliestAt = earliest, y.latestAt = latest
}
CALL (y) {
  MATCH (y)-[:HAS_CHILD]->(:Summary)-[:ABOUT]->(e:Entity|ColdEntity)
  WITH DISTINCT y, e
  MERGE (y)-[:ABOUT]->(e)
}
CALL (y) {
  UNWIND $lines AS line
  MATCH (k:Memory {agent_id: $agent_id, id: line.memoryId})
  MERGE (y)-[d:DERIVED_FROM]->(k)
  SET d.line = coalesce(d.line, line.line)
}
CALL (y) {
  UNWIND $lines AS line
  MATCH (t:Attribute {agent_id: $agent_id, id: line.factId})
  MERGE (y)-[d:STATES]->(t)
  SET d.line = line.line
}
CALL (y) {
  MATCH (p:Summary {agent_id: $agent_id, dagKey: $follows_key})
  MERGE (y)-[:FOLLOWS]->(p)
}
CALL (y) {
  MATCH (y)<-[:HAS_CHILD]-(p:Summary)
  SET p.stale = true, p.marks = coalesce(p.marks, 0) + 1
}
