// purpose: roll-backs in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX rollback_agent_id_createdat IF NOT EXISTS
FOR (r:Rollback) ON (r.agent_id, r.createdAt)
