// purpose: the keys of an agent
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX key_agent_id IF NOT EXISTS
FOR (k:Key) ON (k.agent_id)
