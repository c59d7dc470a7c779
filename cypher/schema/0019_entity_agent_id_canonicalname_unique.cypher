// purpose: one node for one thing, whoever writes it
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT entity_agent_id_canonicalname_unique IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.agent_id, e.canonicalName) IS UNIQUE
