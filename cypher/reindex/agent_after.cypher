// purpose: the next agent of which texts wait for a vector, by name
// params: after STRING
// returns: agent_id STRING
// mode: read
// scope: system
MATCH (n:Unembedded)
WHERE n.agent_id > $after
RETURN min(n.agent_id) AS agent_id
