// purpose: a session, made if it is new, reopened if asked to, and locked until the transaction ends; which of these messageIds it holds
// params: agent_id STRING, session_id STRING, open_id STRING, project STRING, source STRING, started_at ZONED DATETIME, context_window INTEGER, continues STRING, metadata STRING, now ZONED DATETIME, reopen BOOLEAN, message_ids LIST<STRING>
// returns: created BOOLEAN, session MAP, known LIST<MAP>
// mode: write
// why: the SET locks the session before its ordinal is read: writers queue up, and ordinals have no gap; idleSince is there only while
// why: the session is open, so that an index over it holds the open ones
// why: that SET reads no property of the session: one that does takes a second lock and lets it go before the end, and
// why: writers who met at one session ran into deadlocks for seconds
MERGE (s:Session {agent_id: $agent_id, id: $session_id})
ON CREATE SET s.openId = $open_id, s.project = $project, s.source = coalesce($source, 'unknown'), s.startedAt = $started_at,
  s.contextWindow = $context_window, s.continues = $continues, s.metadata = $metadata, s.createdAt = $now, s.idleSince = $now,
  s.nextOrdinal = 0, s.messages = 0, s.tokens = 0, s.extractedThrough = 0, s.dropped = 0
SET s.lock = true
FOREACH (_ IN CASE WHEN $reopen THEN [1] ELSE [] END | SET s.endedAt = null, s.idleSince = $now)
WITH s
CALL (s) {
  UNWIND $message_ids AS messageId
  MATCH (m:Message {agent_id: $agent_id, sessionId: $session_id, messageId: messageId})
  RETURN collect(m {.id, .messageId, .ordinal, .fingerprint}) AS known
}
RETURN s.openId = $open_id AS created, s {.id, .project, .source, .startedAt, .endedAt, .contextWindow, .metadata, .messages, .tokens, .extractedThrough,
  .nextOrdinal, .continues} AS session, known
