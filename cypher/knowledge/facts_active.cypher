// purpose: the active facts of these entities, as the rule of supersession compares them
// params: agent_id STRING, entity_ids LIST<STRING>
// returns: id, entityId, aspect, content, kind, claimKey STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt STRING, traits BYTEARRAY
// mode: read
// why: an entity in the cold tier comes back when it is spoken of, and these facts with it (entity_restore)
UNWIND $entity_ids AS entityId
CALL (entityId) {
  MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'active'})
  RETURN t
  UNION
  MATCH (:ColdEntity {agent_id: $agent_id, id: entityId})
  MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'cold'})
  WHERE t.coldKey IS NOT NULL AND t.coldStatus IS NULL AND EXISTS { (t)-[:DERIVED_FROM]->(:Memory) }
  RETURN t
}
RETURN t.id AS id, t.entityId AS entityId, t.aspect AS aspect, t.content AS content, t.kind AS kind, t.claimKey AS claimKey,
  t.confidence AS confidence, t.explicit AS explicit, t.pinned AS pinned, toString(t.validFrom) AS validFrom, toString(t.createdAt) AS createdAt, t.traits AS traits
