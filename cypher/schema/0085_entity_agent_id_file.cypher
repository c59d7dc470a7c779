// purpose: entities by the file they stand in
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX entity_agent_id_file IF NOT EXISTS
FOR (e:Entity) ON (e.agent_id, e.file)
