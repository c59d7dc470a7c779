// purpose: proposals and decisions by status, in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX supersession_agent_id_status_createdat IF NOT EXISTS
FOR (s:Supersession) ON (s.agent_id, s.status, s.createdAt)
