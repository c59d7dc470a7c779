// purpose: the history of an agent, in order
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX event_agent_id_at IF NOT EXISTS
FOR (e:Event) ON (e.agent_id, e.at)
