// purpose: messages, or summaries, behind one of them, by id, with the hash of what they said when they were kept
// params: agent_id STRING, after STRING, limit INTEGER
// returns: id STRING, content STRING, sha256 STRING, moved BOOLEAN // [messages]
// returns: id STRING, content STRING, sha256 STRING // [summaries]
// mode: read
// variants: messages | summaries
// why: a clean-up keeps the hash of the original, which the payload file is held to // [messages]
// why: older ones, and those that were dissolved, have no hash // [summaries]
MATCH (n:Message) // [messages]
WHERE n.agent_id = $agent_id AND n.id > $after // [messages]
RETURN n.id AS id, n.content AS content, n.sha256 AS sha256, n.cleanedAt IS NOT NULL OR EXISTS { (n)-[:HAS_PAYLOAD]->(:Payload) } AS moved // [messages]
// MATCH (n:Summary) // [summaries]
// WHERE n.agent_id = $agent_id AND n.id > $after AND n.sha256 IS NOT NULL // [summaries]
// RETURN n.id AS id, n.content AS content, n.sha256 AS sha256 // [summaries]
ORDER BY n.agent_id, n.id LIMIT $limit
