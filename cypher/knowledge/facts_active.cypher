// purpose: the active facts of these entities, as the rule of supersession compares them
// params: agent_id STRING, entity_ids LIST<STRING>
// returns: id, entityId, aspect, content, kind, claimKey STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt ZONED DATETIME, activeKey STRING
// mode: read
UNWIND $entity_ids AS entityId
MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'active'})
RETURN t.id AS id, t.entityId AS entityId, t.aspect AS aspect, t.content AS content, t.kind AS kind, t.claimKey AS claimKey,
  t.confidence AS confidence, t.explicit AS explicit, t.pinned AS pinned, t.validFrom AS validFrom, t.createdAt AS createdAt,
  t.activeKey AS activeKey
