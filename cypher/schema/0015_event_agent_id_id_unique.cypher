// purpose: event ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT event_agent_id_id_unique IF NOT EXISTS
FOR (e:Event) REQUIRE (e.agent_id, e.id) IS UNIQUE
