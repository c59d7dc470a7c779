// purpose: counting an agent's Session nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX session_agent_id IF NOT EXISTS
FOR (s:Session) ON (s.agent_id)
