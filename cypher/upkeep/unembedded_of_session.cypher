// purpose: how many texts of a session wait for a vector
// params: agent_id STRING, session_id STRING
// returns: waiting INTEGER
// mode: read
// why: the label holds only what waits, for all agents together
MATCH (n:Unembedded)
WHERE n.agent_id = $agent_id AND n.sessionId = $session_id
RETURN count(n) AS waiting
