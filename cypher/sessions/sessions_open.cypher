// purpose: sessions, each made if it is new, reopened if asked to, and locked until the transaction ends; which of the messageIds each holds, and its last and first messages
// params: agent_id STRING, openings LIST<MAP>, reopen BOOLEAN
// returns: session MAP, known LIST<MAP>, tail LIST<MAP>, head LIST<MAP>
// mode: write
// why: the SET locks the session before its ordinal is read: writers queue up, and ordinals have no gap; idleSince is there only while
// why: the session is open, so that an index over it holds the open ones
// why: that SET reads no property of the session: one that does takes a second lock and lets it go before the end, and
// why: writers who met at one session ran into deadlocks for seconds
UNWIND $openings AS o
MERGE (s:Session {agent_id: $agent_id, id: o.session_id})
ON CREATE SET s.openId = o.open_id, s.project = o.project, s.source = coalesce(o.source, 'unknown'), s.startedAt = datetime(o.started_at),
  s.contextWindow = o.context_window, s.continues = o.continues, s.metadata = o.metadata, s.createdAt = datetime(o.now), s.idleSince = datetime(o.now),
  s.nextOrdinal = 0, s.messages = 0, s.tokens = 0, s.extractedThrough = 0, s.dropped = 0
SET s.lock = true
FOREACH (_ IN CASE WHEN $reopen THEN [1] ELSE [] END | SET s.endedAt = null, s.idleSince = datetime(o.now))
WITH s, o
CALL (o) {
  UNWIND o.message_ids AS messageId
  MATCH (m:Message {agent_id: $agent_id, sessionId: o.session_id, messageId: messageId})
  RETURN collect(m {.id, .messageId, .ordinal, .fingerprint}) AS known
}
CALL (s, o) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = o.session_id AND m.ordinal >= s.nextOrdinal - o.tail
  WITH m ORDER BY m.ordinal
  RETURN collect(m {.id, .messageId, .ordinal, .fingerprint}) AS tail
}
CALL (o) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = o.session_id AND m.ordinal < o.head
  WITH m ORDER BY m.ordinal
  RETURN collect(m {.id, .messageId, .ordinal, .fingerprint}) AS head
}
RETURN s {.id, .openId, .project, .source, .contextWindow, .metadata, .messages, .tokens, .savedTokens, .extractedThrough, .nextOrdinal, .continues,
  startedAt: toString(s.startedAt), endedAt: toString(s.endedAt), archivedAt: toString(s.archivedAt)} AS session, known, tail, head
