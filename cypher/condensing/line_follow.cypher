// purpose: put a session's summary between those of the sessions of its project that started before and after it
// params: agent_id STRING, session_id STRING
// returns: nothing
// mode: write
// why: a session may come late: the one behind it then follows it, and no longer the one before
MATCH (s:Session {agent_id: $agent_id, id: $session_id})-[:HAS_SUMMARY]->(y:Summary {kind: 'session'})
CALL (s) {
  MATCH (o:Session)
  USING INDEX o:Session(agent_id, startedAt)
  WHERE o.agent_id = $agent_id AND o.startedAt <= s.startedAt AND (o.startedAt < s.startedAt OR o.id < s.id)
    AND (o.project = s.project OR o.project IS NULL AND s.project IS NULL) AND EXISTS { (o)-[:HAS_SUMMARY]->(:Summary {kind: 'session'}) }
  WITH o ORDER BY o.startedAt DESC, o.id DESC LIMIT 1
  MATCH (o)-[:HAS_SUMMARY]->(p:Summary {kind: 'session'})
  RETURN collect(p) AS before
}
CALL (s) {
  MATCH (o:Session)
  USING INDEX o:Session(agent_id, startedAt)
  WHERE o.agent_id = $agent_id AND o.startedAt >= s.startedAt AND (o.startedAt > s.startedAt OR o.id > s.id)
    AND (o.project = s.project OR o.project IS NULL AND s.project IS NULL) AND EXISTS { (o)-[:HAS_SUMMARY]->(:Summary {kind: 'session'}) }
  WITH o ORDER BY o.startedAt, o.id LIMIT 1
  MATCH (o)-[:HAS_SUMMARY]->(n:Summary {kind: 'session'})
  RETURN collect(n) AS behind
}
CALL (y, before, behind) {
  UNWIND [y] + behind AS later
  MATCH (later)-[f:FOLLOWS]->(p:Summary)
  WHERE later = y AND NOT p IN before OR later <> y AND p <> y
  DELETE f
}
FOREACH (p IN before | MERGE (y)-[:FOLLOWS]->(p))
FOREACH (n IN behind | MERGE (n)-[:FOLLOWS]->(y))
