// purpose: lock a fact and its entity until the transaction ends, and tell what the fact is now
// params: agent_id STRING, id STRING
// returns: attribute MAP
// mode: write
// why: the entity first, as entities_merge locks it: nobody adds or retires a fact of it meanwhile
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})
SET e.lock = true
WITH t, e
SET t.lock = true
RETURN t {.id, .status, .activeKey, .importance, .pinned, .retiredAt, .coldKey, .coldStatus, .coldAt, .coldReason, .coldNote, .coldSourceId,
  .coldDependencyIds, .supersededBy, active: e:Entity AND EXISTS { (t)-[:DERIVED_FROM]->(:Memory) },
  twinId: head(COLLECT { MATCH (o:Attribute {agent_id: $agent_id, activeKey: t.coldKey}) RETURN o.id })} AS attribute
