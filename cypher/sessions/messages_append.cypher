// purpose: store messages behind the last ones of locked sessions
// params: agent_id STRING, appends LIST<MAP>
// returns: stored INTEGER
// mode: write
// why: an archived session stays archived: its messages have no agentKey, and so no full-text index holds them
UNWIND $appends AS a
MATCH (s:Session {agent_id: $agent_id, id: a.sessionId})
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
WITH a, new
OPTIONAL MATCH (last:Message {agent_id: $agent_id, sessionId: a.sessionId, ordinal: a.first - 1})
USING INDEX SEEK last:Message(agent_id, sessionId, ordinal)
WITH new, CASE WHEN last IS NULL THEN new ELSE [last] + new END AS line
CALL (line) {
  UNWIND range(0, size(line) - 2) AS i
  WITH line[i] AS earlier, line[i + 1] AS later
  CREATE (earlier)-[:NEXT]->(later)
}
RETURN sum(size(new)) AS stored
