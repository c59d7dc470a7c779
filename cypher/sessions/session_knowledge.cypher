// purpose: what was learned in a session: its memories with importance and words, and the entities named
// params: agent_id STRING, session_id STRING
// returns: memories LIST<MAP>, entities LIST<MAP>
// mode: read
// why: DISTINCT between the steps keeps the walk from starting at all memories
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN COLLECT {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WITH DISTINCT m
  MATCH (m)<-[:DERIVED_FROM]-(k:Memory)
  WITH k, min(m.ordinal) AS ordinal
  RETURN k {.id, .content, .type, .importance, ordinal: ordinal} ORDER BY ordinal, k.id
} AS memories, COLLECT {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WITH DISTINCT m
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WITH e, count(r) AS named
  RETURN e {.id, .name, named: named} ORDER BY named DESC, e.id
} AS entities
