// purpose: the summaries of a session
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX summary_agent_id_sessionid IF NOT EXISTS
FOR (s:Summary) ON (s.agent_id, s.sessionId)
