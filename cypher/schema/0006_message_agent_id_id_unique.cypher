// purpose: the store's own message ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT message_agent_id_id_unique IF NOT EXISTS
FOR (m:Message) REQUIRE (m.agent_id, m.id) IS UNIQUE
