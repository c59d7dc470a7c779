// purpose: count a session's messages again, where they are numbered without gaps and its own count is another
// params: agent_id STRING, session_id STRING
// returns: id STRING
// mode: write
// why: a session made anew was read as far as memories go: words read twice would bring back facts that were retired since
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s
CALL (s) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= 0
  RETURN count(m) AS held, max(m.ordinal) AS last, sum(m.tokens) AS tokens,
    max(CASE WHEN EXISTS { (m)<-[:DERIVED_FROM]-(:Memory) } THEN m.ordinal + 1 END) AS read
}
WITH s, held, tokens, read WHERE last = held - 1 AND s.nextOrdinal <> held
SET s.nextOrdinal = held, s.messages = held, s.tokens = tokens,
  s.extractedThrough = CASE WHEN s.extractedThrough > held THEN held WHEN s.extractedThrough < coalesce(read, 0) THEN read ELSE s.extractedThrough END
RETURN s.id AS id
