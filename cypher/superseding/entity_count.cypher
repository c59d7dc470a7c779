// purpose: how many entities an agent has
// params: agent_id STRING
// returns: entities INTEGER
// mode: read
MATCH (e:Entity)
WHERE e.agent_id = $agent_id AND e.id > ''
RETURN count(e) AS entities
