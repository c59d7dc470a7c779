// purpose: link each message of a session to the next one, and to no other
// params: agent_id STRING, session_id STRING
// returns: linked INTEGER
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s
CALL (s) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= 0
  WITH m ORDER BY m.ordinal
  RETURN collect(m) AS line
}
CALL (line) {
  UNWIND line AS m
  MATCH (m)-[r:NEXT]->(o)
  WHERE o.sessionId <> m.sessionId OR o.ordinal <> m.ordinal + 1
  DELETE r
  RETURN count(r) AS wrong
}
CALL (line) {
  UNWIND range(0, size(line) - 2) AS place
  WITH line[place] AS earlier, line[place + 1] AS later
  WHERE later.ordinal = earlier.ordinal + 1 AND NOT EXISTS { (earlier)-[:NEXT]->(later) }
  CREATE (earlier)-[:NEXT]->(later)
  RETURN count(later) AS linked
}
RETURN linked
