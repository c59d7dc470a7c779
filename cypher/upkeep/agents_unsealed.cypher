// purpose: agents with history that is not chained yet
// params: none
// returns: agent_id STRING
// mode: read
// scope: system
MATCH (e:Unsealed)
RETURN DISTINCT e.agent_id AS agent_id
LIMIT 1000
