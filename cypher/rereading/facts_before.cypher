// purpose: the facts of these entities that there are but for what a session says from a message on
// params: agent_id STRING, entity_ids LIST<STRING>, session_id STRING, from_ordinal INTEGER
// returns: id, entityId, aspect, content, kind, claimKey STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt STRING
// mode: read
// why: what was superseded since was active when the session was read first
UNWIND $entity_ids AS entityId
MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId})
WHERE t.status IN ['active', 'superseded'] AND EXISTS { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory)
  WHERE NOT EXISTS { MATCH (k)-[:DERIVED_FROM]->(m:Message) WHERE m.sessionId = $session_id AND m.ordinal >= $from_ordinal }
    OR EXISTS { MATCH (k)-[:DERIVED_FROM]->(o:Message) WHERE o.sessionId <> $session_id OR o.ordinal < $from_ordinal } }
RETURN t.id AS id, t.entityId AS entityId, t.aspect AS aspect, t.content AS content, t.kind AS kind, t.claimKey AS claimKey,
  t.confidence AS confidence, t.explicit AS explicit, t.pinned AS pinned, toString(t.validFrom) AS validFrom, toString(t.createdAt) AS createdAt
