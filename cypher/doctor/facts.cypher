// purpose: facts behind one of them, by id, with what their keys are made of
// params: agent_id STRING, after STRING, limit INTEGER
// returns: id STRING, entityId STRING, content STRING, status STRING, activeKey STRING
// mode: read
MATCH (t:Attribute)
WHERE t.agent_id = $agent_id AND t.id > $after
RETURN t.id AS id, t.entityId AS entityId, t.content AS content, t.status AS status, t.activeKey AS activeKey
ORDER BY t.agent_id, t.id LIMIT $limit
