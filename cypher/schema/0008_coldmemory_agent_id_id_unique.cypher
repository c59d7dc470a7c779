// purpose: ids of archived memories
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT coldmemory_agent_id_id_unique IF NOT EXISTS
FOR (c:ColdMemory) REQUIRE (c.agent_id, c.id) IS UNIQUE
