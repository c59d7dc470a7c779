// purpose: counting an agent's Summary nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX summary_agent_id IF NOT EXISTS
FOR (s:Summary) ON (s.agent_id)
