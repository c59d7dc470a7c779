// purpose: counting an agent's ColdMemory nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX coldmemory_agent_id IF NOT EXISTS
FOR (c:ColdMemory) ON (c.agent_id)
