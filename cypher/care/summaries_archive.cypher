// purpose: take a session's summaries out of every search and out of the DAG
// params: agent_id STRING, session_id STRING, now ZONED DATETIME
// returns: number INTEGER
// mode: write
MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_SUMMARY|HAS_COMPACTION]->(y:Summary)
WHERE y.archivedAt IS NULL OR y.agentKey IS NOT NULL OR y.embedding IS NOT NULL OR y:Unembedded
SET y.archivedAt = coalesce(y.archivedAt, $now), y.archivedEmbedding = coalesce(y.embedding, y.archivedEmbedding), y.agentKey = null
SET y.embedding = null
REMOVE y:Unembedded
RETURN count(y) AS number
