// purpose: the active facts of an entity
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX attribute_agent_id_entityid_status IF NOT EXISTS
FOR (a:Attribute) ON (a.agent_id, a.entityId, a.status)
