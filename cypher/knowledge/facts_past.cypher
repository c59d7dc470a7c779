// purpose: facts of these entities that were superseded after a time, as the rule of supersession compares them
// params: agent_id STRING, entity_ids LIST<STRING>, since ZONED DATETIME
// returns: id, entityId, aspect, content, kind, claimKey STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt STRING, supersededBy, validTo STRING, traits BYTEARRAY
// mode: read
// why: what never held, because it ended when it began, has no place in time
UNWIND $entity_ids AS entityId
MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'superseded'})
WHERE t.validTo > $since AND t.validTo > t.validFrom AND t.supersededBy IS NOT NULL
RETURN t.id AS id, t.entityId AS entityId, t.aspect AS aspect, t.content AS content, t.kind AS kind, t.claimKey AS claimKey,
  t.confidence AS confidence, t.explicit AS explicit, t.pinned AS pinned, toString(t.validFrom) AS validFrom, toString(t.createdAt) AS createdAt,
  t.supersededBy AS supersededBy, toString(t.validTo) AS validTo, t.traits AS traits
