// purpose: a session, made if it is new, reopened if asked to, and locked until the transaction ends
// params: agent_id STRING, session_id STRING, open_id STRING, project STRING, source STRING, started_at ZONED DATETIME, context_window INTEGER, continues STRING, metadata STRING, now ZONED DATETIME, reopen BOOLEAN
// returns: created BOOLEAN, session MAP
// mode: write
// why: the SET locks the session before its ordinal is read: writers queue up, and ordinals have no gap
MERGE (s:Session {agent_id: $agent_id, id: $session_id})
ON CREATE SET s.openId = $open_id, s.project = $project, s.source = coalesce($source, 'unknown'), s.startedAt = $started_at,
  s.contextWindow = $context_window, s.continues = $continues, s.metadata = $metadata, s.createdAt = $now,
  s.nextOrdinal = 0, s.messages = 0, s.tokens = 0, s.extractedThrough = 0, s.dropped = 0
SET s.lock = true, s.endedAt = CASE WHEN $reopen THEN null ELSE s.endedAt END
RETURN s.openId = $open_id AS created, s {.id, .project, .source, .startedAt, .endedAt, .contextWindow, .metadata, .messages, .tokens, .extractedThrough,
  .nextOrdinal, .continues} AS session
