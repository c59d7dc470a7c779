// purpose: sessions whose messages are not numbered 0, 1, 2 … as the session counts them
// params: agent_id STRING, limit INTEGER
// returns: id STRING, number INTEGER
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > ''
CALL (s) {
  OPTIONAL MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = s.id AND m.ordinal IS NOT NULL
  RETURN count(m) AS held, min(m.ordinal) AS first, max(m.ordinal) AS last
}
WITH s, s.id AS id, held, first, last
WHERE held <> s.nextOrdinal OR held > 0 AND (first <> 0 OR last <> held - 1)
RETURN id, held AS number
ORDER BY id LIMIT $limit
