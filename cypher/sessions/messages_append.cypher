// purpose: store messages behind the last ones of sessions, of each session that still ends where its writer saw it end and holds none of the messageIds
// params: agent_id STRING, appends LIST<MAP>, threshold FLOAT
// returns: sessionId STRING, tokens INTEGER, contextWindow INTEGER
// mode: write
// why: an archived session stays archived: its messages have no agentKey, and so no full-text index holds them
// why: one label for all that compaction waits for, as Unembedded: a label scan touches only what waits
// why: the SET locks the session before its end is read, see sessions_open; the sessions come in the order of their ids
UNWIND $appends AS a
MATCH (s:Session {agent_id: $agent_id, id: a.sessionId})
SET s.lock = true
WITH s, a
CALL (a) {
  UNWIND a.messageIds AS messageId
  MATCH (m:Message {agent_id: $agent_id, sessionId: a.sessionId, messageId: messageId})
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
WITH s, a, new, s.tokens - coalesce(s.savedTokens, 0) AS tokens
FOREACH (_ IN CASE WHEN coalesce(a.sessionTokens, tokens) > $threshold * s.contextWindow AND s.archivedAt IS NULL THEN [1] ELSE [] END | SET s:Uncompacted)
WITH s, a, new, tokens
OPTIONAL MATCH (last:Message {agent_id: $agent_id, sessionId: a.sessionId, ordinal: a.first - 1})
WITH s, a, new, tokens, CASE WHEN last IS NULL THEN new ELSE [last] + new END AS line
CALL (line) {
  UNWIND range(0, size(line) - 2) AS i
  WITH line[i] AS earlier, line[i + 1] AS later
  CREATE (earlier)-[:NEXT]->(later)
}
RETURN a.sessionId AS sessionId, tokens, s.contextWindow AS contextWindow
