// purpose: the feedback that one thing was given, in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX feedback_agent_id_targetid_at IF NOT EXISTS
FOR (f:Feedback) ON (f.agent_id, f.targetId, f.at)
