// purpose: payloads behind one of them, by hash
// params: agent_id STRING, after STRING, limit INTEGER
// returns: sha256 STRING, where STRING
// mode: read
MATCH (p:Payload)
WHERE p.agent_id = $agent_id AND p.sha256 > $after
RETURN p.sha256 AS sha256, p.where AS where
ORDER BY p.agent_id, p.sha256 LIMIT $limit
