// purpose: how many supersessions an agent has, by status
// params: agent_id STRING
// returns: status STRING, number INTEGER
// mode: read
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.status IN ['proposed', 'applied', 'rejected', 'undone']
RETURN s.status AS status, count(*) AS number, count(CASE WHEN s.acceptedAt IS NOT NULL THEN 1 END) AS accepted
