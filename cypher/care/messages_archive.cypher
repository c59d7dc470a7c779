// purpose: take a stretch of a session's messages out of every search
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER, now ZONED DATETIME
// returns: number INTEGER
// mode: write
// why: every full-text query asks for agentKey, every vector query for embedding: without them a message is in no answer
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
  AND (m.archivedAt IS NULL OR m.agentKey IS NOT NULL OR m.embedding IS NOT NULL OR m:Unembedded)
SET m.archivedAt = coalesce(m.archivedAt, $now), m.archivedEmbedding = coalesce(m.embedding, m.archivedEmbedding), m.agentKey = null
SET m.embedding = null
REMOVE m:Unembedded
RETURN count(m) AS number
