// purpose: sessions of a project, in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX session_agent_id_project_startedat IF NOT EXISTS
FOR (s:Session) ON (s.agent_id, s.project, s.startedAt)
