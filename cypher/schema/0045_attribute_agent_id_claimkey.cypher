// purpose: the facts that compete for a slot
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX attribute_agent_id_claimkey IF NOT EXISTS
FOR (a:Attribute) ON (a.agent_id, a.claimKey)
