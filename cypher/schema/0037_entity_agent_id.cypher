// purpose: counting an agent's Entity nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX entity_agent_id IF NOT EXISTS
FOR (e:Entity) ON (e.agent_id)
