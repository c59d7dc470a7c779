// purpose: how many supersessions an agent has, by status
// params: agent_id STRING
// returns: status STRING, number INTEGER, accepted INTEGER, refuted INTEGER
// mode: read
// why: accepted and refuted are what people made of verdicts of ours; what gave way to a closer fact was right, and what a person asked for or rolled back is no verdict
// why: createdAt is always there; asking for it is what lets the index on (agent_id, createdAt) serve
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.createdAt IS NOT NULL AND s.status IN ['proposed', 'applied', 'rejected', 'undone']
RETURN s.status AS status, count(*) AS number,
  count(CASE WHEN s.status = 'applied' AND s.acceptedAt IS NOT NULL THEN 1 END) AS accepted,
  count(CASE WHEN s.status = 'rejected' OR s.status = 'undone' AND s.method <> 'user' AND s.refinedBy IS NULL AND s.rolledBackBy IS NULL THEN 1 END) AS refuted
