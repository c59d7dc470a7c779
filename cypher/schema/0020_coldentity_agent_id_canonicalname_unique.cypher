// purpose: as Entity, in the cold tier
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT coldentity_agent_id_canonicalname_unique IF NOT EXISTS
FOR (c:ColdEntity) REQUIRE (c.agent_id, c.canonicalName) IS UNIQUE
