// purpose: attribute ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT attribute_agent_id_id_unique IF NOT EXISTS
FOR (a:Attribute) REQUIRE (a.agent_id, a.id) IS UNIQUE
