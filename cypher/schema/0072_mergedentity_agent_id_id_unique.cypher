// purpose: ids of merged entities
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT mergedentity_agent_id_id_unique IF NOT EXISTS
FOR (e:MergedEntity) REQUIRE (e.agent_id, e.id) IS UNIQUE
