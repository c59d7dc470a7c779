// purpose: the history of one thing
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX event_agent_id_subjectid_at IF NOT EXISTS
FOR (e:Event) ON (e.agent_id, e.subjectId, e.at)
