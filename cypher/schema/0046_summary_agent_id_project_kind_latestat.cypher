// purpose: summaries of a project and kind, in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX summary_agent_id_project_kind_latestat IF NOT EXISTS
FOR (s:Summary) ON (s.agent_id, s.project, s.kind, s.latestAt)
