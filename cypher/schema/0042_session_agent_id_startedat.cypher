// purpose: sessions in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX session_agent_id_startedat IF NOT EXISTS
FOR (s:Session) ON (s.agent_id, s.startedAt)
