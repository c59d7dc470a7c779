// purpose: facts as hits, now or as they stood on a day and were known on another
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: status_now, successors_now, fact_with_end, successors_then
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
RETURN collect({id: t.id, text: t.content, sessionId: t.sessionId, createdAt: toString(t.createdAt), status: status_now(t), validFrom: toString(t.validFrom), validTo: toString(t.validTo), // [now]
// WITH fact_with_end(t) // [then]
// RETURN collect({id: t.id, text: t.content, sessionId: t.sessionId, createdAt: toString(t.createdAt), status: CASE WHEN over THEN 'superseded' ELSE 'active' END, // [then]
//   validFrom: toString(t.validFrom), validTo: toString(validTo), // [then]
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: [t.entityId], about: COLLECT { MATCH (e:Entity {agent_id: $agent_id, id: t.entityId}) RETURN e.name },
  successors: CASE WHEN status_now(t) = 'superseded' THEN COLLECT { MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'}) // [now]
    successors_now() } ELSE [] END}) AS hits // [now]
//   successors: CASE WHEN over THEN COLLECT { successors_then() } ELSE [] END}) AS hits // [then]
