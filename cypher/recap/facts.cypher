// purpose: what was drawn from a session, with what took the place of the superseded
// params: agent_id STRING, session_id STRING, now ZONED DATETIME
// returns: told MAP, kind STRING, status STRING, current LIST<ANY>
// mode: read
// fragments: status_now
// why: DISTINCT between the steps keeps the walk from starting at all memories
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
MATCH (s)-[:HAS_MESSAGE]->(m:Message)
WITH DISTINCT m
MATCH (m)<-[:DERIVED_FROM]-(k:Memory)<-[:DERIVED_FROM]-(t:Attribute)
WHERE t.status IN ['active', 'superseded']
WITH t, k, min(m.ordinal) AS ordinal
ORDER BY ordinal, k.id
WITH t, collect(k {.content, .type, .importance, ordinal: ordinal})[0] AS told
RETURN told, t.kind AS kind, status_now(t) AS status, COLLECT {
  MATCH (t)-[links:SUPERSEDED_BY*1..20]->(c:Attribute)
  WHERE c.status = 'active' AND all(link IN links WHERE link.undoneAt IS NULL)
  MATCH (c)-[:DERIVED_FROM]->(n:Memory)
  OPTIONAL MATCH (n)-[:DERIVED_FROM]->(o:Message)
  RETURN [n.content, o.sessionId, o.ordinal] ORDER BY size(links), o.createdAt DESC LIMIT 1
} AS current
