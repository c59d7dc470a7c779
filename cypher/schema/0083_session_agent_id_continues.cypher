// purpose: sessions by the one that they go on from
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX session_agent_id_continues IF NOT EXISTS
FOR (s:Session) ON (s.agent_id, s.continues)
