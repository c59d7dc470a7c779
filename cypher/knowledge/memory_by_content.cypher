// purpose: the memory that says this
// params: agent_id STRING, content_key STRING
// returns: id STRING
// mode: read
MATCH (k:Memory {agent_id: $agent_id, contentKey: $content_key})
RETURN k.id AS id
