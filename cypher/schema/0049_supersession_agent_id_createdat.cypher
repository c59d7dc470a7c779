// purpose: supersessions in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX supersession_agent_id_createdat IF NOT EXISTS
FOR (s:Supersession) ON (s.agent_id, s.createdAt)
