// purpose: sessions by when they ended
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX session_agent_id_endedat IF NOT EXISTS
FOR (s:Session) ON (s.agent_id, s.endedAt)
