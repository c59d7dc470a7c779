// purpose: how many items extraction cut for an agent
// params: agent_id STRING
// returns: dropped INTEGER
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id
RETURN coalesce(sum(s.dropped), 0) AS dropped
