// purpose: bring a session's summaries back into every search and into the DAG
// params: agent_id STRING, agent_key STRING, session_id STRING
// returns: number INTEGER
// mode: write
MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_SUMMARY|HAS_COMPACTION]->(y:Summary)
WHERE y.archivedAt IS NOT NULL
SET y.embedding = y.archivedEmbedding, y.agentKey = $agent_key
SET y.archivedEmbedding = null, y.archivedAt = null
FOREACH (_ IN CASE WHEN y.embedding IS NULL THEN [1] ELSE [] END | SET y:Unembedded)
RETURN count(y) AS number
