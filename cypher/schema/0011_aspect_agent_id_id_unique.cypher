// purpose: aspect ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT aspect_agent_id_id_unique IF NOT EXISTS
FOR (a:Aspect) REQUIRE (a.agent_id, a.id) IS UNIQUE
