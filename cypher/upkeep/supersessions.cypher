// purpose: how many supersessions an agent, or all together, have of each status, and what people made of those that rules found
// params: agent_id STRING
// returns: status STRING, number INTEGER, accepted INTEGER, refuted INTEGER
// mode: read
// scope: system // [all]
// variants: agent | all
// why: accepted and refuted are what people made of verdicts of ours; what gave way to a closer fact was right, and what a person asked for or rolled back is no verdict // [agent]
// why: createdAt is always there; asking for it is what lets the index on (agent_id, createdAt) serve // [agent]
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.createdAt IS NOT NULL AND s.status IN ['proposed', 'applied', 'rejected', 'undone'] // [agent]
RETURN s.status AS status, count(*) AS number,
  count(CASE WHEN s.status = 'applied' AND s.acceptedAt IS NOT NULL THEN 1 END) AS accepted,
  count(CASE WHEN s.status = 'rejected' OR s.status = 'undone' AND s.method <> 'user' AND s.refinedBy IS NULL AND s.rolledBackBy IS NULL THEN 1 END) AS refuted
