// purpose: bring a stretch of a session's messages back into every search
// params: agent_id STRING, agent_key STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER
// returns: number INTEGER
// mode: write
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
  AND m.archivedAt IS NOT NULL
SET m.embedding = m.archivedEmbedding, m.agentKey = $agent_key
SET m.archivedEmbedding = null, m.archivedAt = null
FOREACH (_ IN CASE WHEN m.embedding IS NULL THEN [1] ELSE [] END | SET m:Unembedded)
RETURN count(m) AS number
