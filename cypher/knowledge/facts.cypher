// purpose: the facts of these entities as the rule of supersession compares them: active, superseded after a time, or there but for what a session says
// params: agent_id STRING, entity_ids LIST<STRING>, since ZONED DATETIME, session_id STRING, from_ordinal INTEGER
// returns: id, entityId, aspect, content, kind, claimKey, claims STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt, saidAt STRING, sessionIds LIST<STRING>, traits BYTEARRAY // [active]
// returns: id, entityId, aspect, content, kind, claimKey, claims STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt, saidAt STRING, sessionIds LIST<STRING>, supersededBy, validTo STRING, traits BYTEARRAY // [past]
// returns: id, entityId, aspect, content, kind, claimKey, claims STRING, confidence FLOAT, explicit, pinned BOOLEAN, validFrom, createdAt, saidAt STRING, sessionIds LIST<STRING> // [before]
// mode: read
// variants: active | past | before
// fragments: compared_row
// why: an entity in the cold tier comes back when it is spoken of, and these facts with it (entity_restore) // [active]
// why: what never held, because it ended when it began, has no place in time // [past]
// why: what was superseded since was active when the session was read first // [before]
UNWIND $entity_ids AS entityId
CALL (entityId) { // [active]
  MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'active'}) // [active]
  RETURN t // [active]
  UNION // [active]
  MATCH (:ColdEntity {agent_id: $agent_id, id: entityId}) // [active]
  MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'cold'}) // [active]
  WHERE t.coldKey IS NOT NULL AND t.coldStatus IS NULL AND EXISTS { (t)-[:DERIVED_FROM]->(:Memory) } // [active]
  RETURN t // [active]
} // [active]
RETURN compared_row(t), t.traits AS traits // [active]
// MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId, status: 'superseded'}) // [past]
// WHERE t.validTo > $since AND t.validTo > t.validFrom AND t.supersededBy IS NOT NULL // [past]
// RETURN compared_row(t), // [past]
//   t.supersededBy AS supersededBy, toString(t.validTo) AS validTo, t.traits AS traits // [past]
// MATCH (t:Attribute {agent_id: $agent_id, entityId: entityId}) // [before]
// WHERE t.status IN ['active', 'superseded'] AND EXISTS { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory) // [before]
//   WHERE NOT EXISTS { MATCH (k)-[:DERIVED_FROM]->(m:Message) WHERE m.sessionId = $session_id AND m.ordinal >= $from_ordinal } // [before]
//     OR EXISTS { MATCH (k)-[:DERIVED_FROM]->(o:Message) WHERE o.sessionId <> $session_id OR o.ordinal < $from_ordinal } } // [before]
// RETURN compared_row(t) // [before]
