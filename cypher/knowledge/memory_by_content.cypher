// purpose: the memory that says this and still holds
// params: agent_id STRING, content_key STRING
// returns: id STRING
// mode: read
MATCH (k:Memory {agent_id: $agent_id, contentKey: $content_key})
WHERE k.status = 'active'
RETURN k.id AS id
