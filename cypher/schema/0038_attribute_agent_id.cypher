// purpose: counting an agent's Attribute nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX attribute_agent_id IF NOT EXISTS
FOR (a:Attribute) ON (a.agent_id)
