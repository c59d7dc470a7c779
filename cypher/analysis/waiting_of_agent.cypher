// purpose: how many of an agent's messages wait for analysis
// params: agent_id STRING
// returns: waiting INTEGER
// mode: read
// why: the label holds only sessions with something to analyse, for all agents together
MATCH (s:Unanalysed)
WHERE s.agent_id = $agent_id
RETURN sum(s.nextOrdinal - coalesce(s.analysedThrough, 0)) AS waiting
