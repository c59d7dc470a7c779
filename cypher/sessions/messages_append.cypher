// purpose: store messages behind the last one of a locked session
// params: agent_id STRING, session_id STRING, rows LIST<MAP>, first INTEGER, tokens INTEGER
// returns: stored INTEGER
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
CALL (s) {
  UNWIND $rows AS row
  CREATE (s)-[:HAS_MESSAGE]->(m:Message:Unembedded {agent_id: $agent_id, sessionId: $session_id, project: s.project,
    source: s.source, status: 'active'})
  SET m += row
  RETURN count(m) AS stored
}
SET s.nextOrdinal = s.nextOrdinal + stored, s.messages = s.messages + stored, s.tokens = s.tokens + $tokens, s.endedAt = null,
  s.idleSince = $rows[-1].ingestedAt
WITH s, stored
CALL (s) {
  MATCH (m:Message {agent_id: $agent_id, sessionId: $session_id})
  WHERE m.ordinal >= $first - 1
  WITH m ORDER BY m.ordinal
  WITH collect(m) AS line
  UNWIND range(0, size(line) - 2) AS i
  WITH line[i] AS earlier, line[i + 1] AS later
  WHERE later.ordinal >= $first
  CREATE (earlier)-[:NEXT]->(later)
}
RETURN stored
