// purpose: summaries behind one of them, by id, with the hash of what they said when they were written
// params: agent_id STRING, after STRING, limit INTEGER
// returns: id STRING, content STRING, sha256 STRING
// mode: read
// why: older ones, and those that were dissolved, have no hash
MATCH (y:Summary)
WHERE y.agent_id = $agent_id AND y.id > $after AND y.sha256 IS NOT NULL
RETURN y.id AS id, y.content AS content, y.sha256 AS sha256
ORDER BY y.agent_id, y.id LIMIT $limit
