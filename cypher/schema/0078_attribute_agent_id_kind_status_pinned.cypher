// purpose: constraints in force and pinned facts, whatever they are about
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX attribute_agent_id_kind_status_pinned IF NOT EXISTS
FOR (t:Attribute) ON (t.agent_id, t.kind, t.status, t.pinned)
