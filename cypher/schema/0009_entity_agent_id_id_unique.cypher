// purpose: entity ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT entity_agent_id_id_unique IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.agent_id, e.id) IS UNIQUE
