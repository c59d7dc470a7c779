// purpose: how many of an agent's texts wait for a vector
// params: agent_id STRING
// returns: waiting INTEGER
// mode: read
// why: the label holds only what waits, for all agents together
MATCH (n:Unembedded)
WHERE n.agent_id = $agent_id
RETURN count(n) AS waiting
