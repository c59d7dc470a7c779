// purpose: ids of merges
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT merge_agent_id_id_unique IF NOT EXISTS
FOR (m:Merge) REQUIRE (m.agent_id, m.id) IS UNIQUE
