// purpose: merges in time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX merge_agent_id_createdat IF NOT EXISTS
FOR (m:Merge) ON (m.agent_id, m.createdAt)
