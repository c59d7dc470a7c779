// purpose: ids of archived entities
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT coldentity_agent_id_id_unique IF NOT EXISTS
FOR (c:ColdEntity) REQUIRE (c.agent_id, c.id) IS UNIQUE
