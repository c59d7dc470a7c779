// purpose: hang messages that lost their session on it again; a session that is gone is made anew from them
// params: agent_id STRING, limit INTEGER, now ZONED DATETIME
// returns: id STRING, sessionId STRING
// mode: write
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > '' AND NOT EXISTS { (:Session)-[:HAS_MESSAGE]->(m) }
WITH m ORDER BY m.sessionId, m.ordinal LIMIT $limit
MERGE (s:Session {agent_id: $agent_id, id: m.sessionId})
ON CREATE SET s.project = m.project, s.source = coalesce(m.source, 'unknown'), s.startedAt = m.createdAt, s.createdAt = $now,
  s.idleSince = $now, s.nextOrdinal = 0, s.messages = 0, s.tokens = 0, s.extractedThrough = 0, s.dropped = 0
CREATE (s)-[:HAS_MESSAGE]->(m)
RETURN m.id AS id, s.id AS sessionId
