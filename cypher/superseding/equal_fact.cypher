// purpose: the active fact that has a key
// params: agent_id STRING, active_key STRING
// returns: id STRING
// mode: read
MATCH (t:Attribute {agent_id: $agent_id, activeKey: $active_key})
RETURN t.id AS id
