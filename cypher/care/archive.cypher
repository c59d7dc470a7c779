// purpose: take a stretch of a session, or its summaries, out of every search
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER, now ZONED DATETIME
// returns: number INTEGER
// mode: write
// variants: messages | summaries
// why: every full-text query asks for agentKey, every vector query for embedding: without them a message is in no answer // [messages]
MATCH (n:Message) // [messages]
WHERE n.agent_id = $agent_id AND n.sessionId = $session_id AND n.ordinal >= $from_ordinal AND n.ordinal < $to_ordinal // [messages]
  AND (n.archivedAt IS NULL OR n.agentKey IS NOT NULL OR n.embedding IS NOT NULL OR n:Unembedded) // [messages]
// MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_SUMMARY|HAS_COMPACTION]->(n:Summary) // [summaries]
// WHERE n.archivedAt IS NULL OR n.agentKey IS NOT NULL OR n.embedding IS NOT NULL OR n:Unembedded // [summaries]
SET n.archivedAt = coalesce(n.archivedAt, $now), n.archivedEmbedding = coalesce(n.embedding, n.archivedEmbedding), n.agentKey = null
SET n.embedding = null
REMOVE n:Unembedded
RETURN count(n) AS number
