// purpose: memory ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT memory_agent_id_id_unique IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.agent_id, m.id) IS UNIQUE
