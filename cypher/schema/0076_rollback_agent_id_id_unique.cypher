// purpose: ids of roll-backs
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT rollback_agent_id_id_unique IF NOT EXISTS
FOR (r:Rollback) REQUIRE (r.agent_id, r.id) IS UNIQUE
