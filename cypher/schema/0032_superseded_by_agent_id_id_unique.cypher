// purpose: supersession links by the id of their decision
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX superseded_by_agent_id_id IF NOT EXISTS
FOR ()-[l:SUPERSEDED_BY]-() ON (l.agent_id, l.id)
