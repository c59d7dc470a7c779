// purpose: how much of an agent, or of a session, waits for a vector, and how much for analysis
// params: agent_id STRING, session_id STRING
// returns: waiting INTEGER
// mode: read
// variants: agent | session | analysis
// why: the label holds only what waits, for all agents together // [agent, session]
// why: the label holds only sessions with something to analyse, for all agents together // [analysis]
MATCH (n:Unembedded) // [agent, session]
// MATCH (n:Unanalysed) // [analysis]
WHERE n.agent_id = $agent_id // [agent, analysis]
// WHERE n.agent_id = $agent_id AND n.sessionId = $session_id // [session]
RETURN count(n) AS waiting // [agent, session]
// RETURN sum(n.nextOrdinal - coalesce(n.analysedThrough, 0)) AS waiting // [analysis]
