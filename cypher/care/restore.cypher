// purpose: bring a stretch of a session, or its summaries, back into every search
// params: agent_id STRING, agent_key STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER
// returns: number INTEGER
// mode: write
// variants: messages | summaries
MATCH (n:Message) // [messages]
WHERE n.agent_id = $agent_id AND n.sessionId = $session_id AND n.ordinal >= $from_ordinal AND n.ordinal < $to_ordinal // [messages]
  AND n.archivedAt IS NOT NULL // [messages]
// MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_SUMMARY|HAS_COMPACTION]->(n:Summary) // [summaries]
// WHERE n.archivedAt IS NOT NULL // [summaries]
SET n.embedding = n.archivedEmbedding, n.agentKey = $agent_key
SET n.archivedEmbedding = null, n.archivedAt = null
FOREACH (_ IN CASE WHEN n.embedding IS NULL THEN [1] ELSE [] END | SET n:Unembedded)
RETURN count(n) AS number
