// purpose: counting an agent's Memory nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX memory_agent_id IF NOT EXISTS
FOR (m:Memory) ON (m.agent_id)
