// purpose: the passages of an agent's repositories
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX passage_agent_id IF NOT EXISTS
FOR (k:Passage) ON (k.agent_id)
