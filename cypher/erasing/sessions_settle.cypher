// purpose: count the tokens of sessions anew whose messages or summaries were erased, and forget what was made of their words: compaction begins again, the gate's mean too
// params: agent_id STRING, session_ids LIST<STRING>
// returns: id STRING, project STRING, waits BOOLEAN
// mode: write
UNWIND $session_ids AS sessionId
MATCH (s:Session {agent_id: $agent_id, id: sessionId})
SET s.lock = true
WITH s
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  RETURN sum(m.tokens) AS tokens
}
CALL (s) {
  OPTIONAL MATCH (s)-[:STARTS_WITH]->(y:Summary)
  RETURN sum(y.tokens) AS carried
}
WITH s, tokens, carried, coalesce(s.compactedThrough, 0) > 0 AS waits
SET s.tokens = tokens, s.savedTokens = -carried, s.compactedThrough = null, s.meanVector = null, s.judgedThrough = null, s.lastFallback = null
RETURN s.id AS id, s.project AS project, waits
