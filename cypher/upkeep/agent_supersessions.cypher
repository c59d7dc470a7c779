// purpose: how many supersessions an agent has, by status
// params: agent_id STRING
// returns: status STRING, number INTEGER, accepted INTEGER
// mode: read
// why: createdAt is always there; asking for it is what lets the index on (agent_id, createdAt) serve
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.createdAt IS NOT NULL AND s.status IN ['proposed', 'applied', 'rejected', 'undone']
RETURN s.status AS status, count(*) AS number, count(CASE WHEN s.acceptedAt IS NOT NULL THEN 1 END) AS accepted
