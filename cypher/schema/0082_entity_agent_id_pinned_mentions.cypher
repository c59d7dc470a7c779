// purpose: entities that are pinned or met often
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX entity_agent_id_pinned_mentions IF NOT EXISTS
FOR (e:Entity) ON (e.agent_id, e.pinned, e.mentions)
