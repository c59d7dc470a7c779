// purpose: memories in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX memory_agent_id_createdat IF NOT EXISTS
FOR (m:Memory) ON (m.agent_id, m.createdAt)
