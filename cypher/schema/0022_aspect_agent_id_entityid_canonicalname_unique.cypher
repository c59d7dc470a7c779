// purpose: an entity has an aspect once
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT aspect_agent_id_entityid_canonicalname_unique IF NOT EXISTS
FOR (a:Aspect) REQUIRE (a.agent_id, a.entityId, a.canonicalName) IS UNIQUE
