// purpose: counting an agent's Message nodes
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: a composite index is not used when only agent_id is bound
CREATE INDEX message_agent_id IF NOT EXISTS
FOR (m:Message) ON (m.agent_id)
