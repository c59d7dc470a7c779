// purpose: the events of an agent by their names, in order
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX event_agent_id_kind_at IF NOT EXISTS
FOR (e:Event) ON (e.agent_id, e.kind, e.at)
