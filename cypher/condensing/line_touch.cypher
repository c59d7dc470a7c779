// purpose: mark the arcs and epochs stale that a session changes: the one it is in, or falls into, and all behind; with hide, those that tell of it leave every search
// params: agent_id STRING, session_id STRING, hide BOOLEAN, now ZONED DATETIME
// returns: project STRING, marked INTEGER, sessions INTEGER
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})-[:HAS_SUMMARY]->(own:Summary {kind: 'session'})
CALL (s, own) {
  UNWIND ['arc', 'epoch'] AS kind
  MATCH (y:Summary)
  WHERE y.agent_id = $agent_id AND y.dagKey STARTS WITH kind + ':' + coalesce(s.project, '') + ':'
    AND (y.project = s.project OR y.project IS NULL AND s.project IS NULL)
    AND EXISTS { MATCH (y)-[:HAS_CHILD*1..2]->(d:Summary {kind: 'session'})<-[:HAS_SUMMARY]-(o:Session)
      WHERE d = own OR o.startedAt > s.startedAt OR o.startedAt = s.startedAt AND o.id > s.id }
  SET y.stale = true, y.marks = coalesce(y.marks, 0) + 1
  RETURN count(y) AS marked
}
CALL (own) {
  MATCH (own)<-[:HAS_CHILD*1..2]-(y:Summary)
  WHERE $hide
  WITH DISTINCT y
  SET y.archivedAt = $now, y.agentKey = null
  SET y.embedding = null
  REMOVE y:Unembedded
}
RETURN s.project AS project, marked, COUNT {
  MATCH (o:Session)
  WHERE o.agent_id = $agent_id AND o.id > '' AND (o.project = s.project OR o.project IS NULL AND s.project IS NULL) AND o.archivedAt IS NULL
    AND EXISTS { (o)-[:HAS_SUMMARY]->(:Summary {kind: 'session'}) } } AS sessions
