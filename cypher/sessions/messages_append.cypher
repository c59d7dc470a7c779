// purpose: store messages behind the last ones of sessions, of each session that still ends where its writer saw it end and holds none of the messageIds
// params: agent_id STRING, appends LIST<MAP>
// returns: sessionId STRING
// mode: write
// why: an archived session stays archived: its messages have no agentKey, and so no full-text index holds them
// why: the SET locks the session before its end is read, see sessions_open; the sessions come in the order of their ids
UNWIND $appends AS a
MATCH (s:Session {agent_id: $agent_id, id: a.sessionId})
USING INDEX SEEK s:Session(agent_id, id)
SET s.lock = true
WITH s, a
CALL (a) {
  UNWIND a.messageIds AS messageId
  MATCH (m:Message {agent_id: $agent_id, sessionId: a.sessionId, messageId: messageId})
  USING INDEX SEEK m:Message(agent_id, sessionId, messageId)
  RETURN count(m) AS held
}
WITH s, a, held
WHERE held = 0 AND s.nextOrdinal = a.first
CALL (s, a) {
  UNWIND a.rows AS row
  CREATE (s)-[:HAS_MESSAGE]->(m:Message:Unembedded {agent_id: $agent_id, sessionId: a.sessionId, project: s.project,
    source: s.source, status: 'active', createdAt: datetime(row.createdAt), ingestedAt: datetime(row.ingestedAt)})
  SET m += row.properties, m.archivedAt = s.archivedAt
  FOREACH (_ IN CASE WHEN s.archivedAt IS NULL THEN [] ELSE [1] END | SET m.agentKey = null REMOVE m:Unembedded)
  WITH m ORDER BY m.ordinal
  RETURN collect(m) AS new
}
SET s.nextOrdinal = s.nextOrdinal + size(new), s.messages = s.messages + size(new), s.tokens = s.tokens + a.tokens, s.endedAt = null,
  s.idleSince = CASE WHEN s.archivedAt IS NULL THEN datetime(a.at) END
FOREACH (_ IN CASE WHEN s.archivedAt IS NULL THEN [1] ELSE [] END | SET s:Unanalysed)
WITH a, new
OPTIONAL MATCH (last:Message {agent_id: $agent_id, sessionId: a.sessionId, ordinal: a.first - 1})
USING INDEX SEEK last:Message(agent_id, sessionId, ordinal)
WITH a, new, CASE WHEN last IS NULL THEN new ELSE [last] + new END AS line
CALL (line) {
  UNWIND range(0, size(line) - 2) AS i
  WITH line[i] AS earlier, line[i + 1] AS later
  CREATE (earlier)-[:NEXT]->(later)
}
RETURN a.sessionId AS sessionId
