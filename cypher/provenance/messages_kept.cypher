// purpose: messages behind one of them, by id, with the hash of what they say; whether a part of it was moved to a payload since
// params: agent_id STRING, after STRING, limit INTEGER
// returns: id STRING, content STRING, sha256 STRING, moved BOOLEAN
// mode: read
// why: a clean-up keeps the hash of the original, which the payload file is held to
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > $after
RETURN m.id AS id, m.content AS content, m.sha256 AS sha256, m.cleanedAt IS NOT NULL OR EXISTS { (m)-[:HAS_PAYLOAD]->(:Payload) } AS moved
ORDER BY m.agent_id, m.id LIMIT $limit
