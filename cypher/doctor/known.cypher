// purpose: facts, or payloads, behind one of them, by id or hash
// params: agent_id STRING, after STRING, limit INTEGER
// returns: id STRING, entityId STRING, content STRING, status STRING, activeKey STRING // [facts]
// returns: sha256 STRING, where STRING // [payloads]
// mode: read
// variants: facts | payloads
MATCH (t:Attribute) // [facts]
WHERE t.agent_id = $agent_id AND t.id > $after // [facts]
RETURN t.id AS id, t.entityId AS entityId, t.content AS content, t.status AS status, t.activeKey AS activeKey // [facts]
ORDER BY t.agent_id, t.id LIMIT $limit // [facts]
// MATCH (p:Payload) // [payloads]
// WHERE p.agent_id = $agent_id AND p.sha256 > $after // [payloads]
// RETURN p.sha256 AS sha256, p.where AS where // [payloads]
// ORDER BY p.agent_id, p.sha256 LIMIT $limit // [payloads]
