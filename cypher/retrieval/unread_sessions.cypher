// purpose: sessions whose reading failed for good, with what is left unread of them
// params: agent_id STRING
// returns: session MAP
// mode: read
MATCH (j:Job {agent_id: $agent_id, status: 'failed', kind: 'end_session'})
MATCH (s:Session {agent_id: $agent_id, id: j.subjectId})
WHERE s.extractedThrough < s.nextOrdinal AND s.archivedAt IS NULL
WITH s, j ORDER BY j.finishedAt DESC
WITH s, head(collect(j.error)) AS reason
RETURN {sessionId: s.id, unread: s.nextOrdinal - s.extractedThrough, messages: s.messages, reason: coalesce(reason, '')} AS session
ORDER BY s.id LIMIT 20
