// purpose: keep what analysis found in a session's next messages, if nobody else did, and move the mark behind them
// params: agent_id STRING, session_id STRING, expected INTEGER, through INTEGER, turns LIST<MAP>, references LIST<MAP>, similar LIST<MAP>, analyser STRING, now ZONED DATETIME
// returns: analysed INTEGER
// mode: write
// why: the session is locked before its messages, as by those who append to it: the other way round they would wait for one another
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s
WHERE coalesce(s.analysedThrough, 0) = $expected AND s.archivedAt IS NULL
SET s.analysedThrough = $through
FOREACH (_ IN CASE WHEN s.nextOrdinal > $through THEN [] ELSE [1] END | REMOVE s:Unanalysed)
WITH s
CALL (s) {
  UNWIND $turns AS row
  MATCH (m:Message {agent_id: $agent_id, id: row.id})
  SET m += row.properties, m.analyser = $analyser, m.analysedAt = $now
  RETURN count(m) AS analysed
}
CALL (s) {
  UNWIND $references AS row
  MATCH (m:Message {agent_id: $agent_id, id: row.fromId})
  MATCH (o:Message {agent_id: $agent_id, id: row.toId})
  MERGE (m)-[r:REFERENCES]->(o)
  SET r.agent_id = $agent_id, r.weight = row.weight, r.how = row.how
  RETURN count(r) AS referring
}
CALL (s) {
  UNWIND $similar AS row
  MATCH (m:Message {agent_id: $agent_id, id: row.fromId})
  MATCH (o:Message {agent_id: $agent_id, id: row.toId})
  MERGE (m)-[r:SIMILAR_TO]->(o)
  SET r.agent_id = $agent_id, r.weight = row.weight
  RETURN count(r) AS resembling
}
RETURN analysed
