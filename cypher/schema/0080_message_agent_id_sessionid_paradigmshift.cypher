// purpose: the paradigm shifts of a session, however long it is
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX message_agent_id_sessionid_paradigmshift IF NOT EXISTS
FOR (m:Message) ON (m.agent_id, m.sessionId, m.paradigmShift)
