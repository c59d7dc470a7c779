// purpose: facts as hits, now or as they stood on a day and were known on another
// params: agent_id STRING, ids LIST<STRING> // [now]
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME // [then]
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: successor // [now]
// fragments: believed, fact_replaced, fact_with_end, successor // [then]
// why: one row: the driver reads one of many hits faster than many of one
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still // [then]
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
RETURN collect({id: t.id, text: t.content, sessionId: t.sessionId, createdAt: toString(t.createdAt), status: t.status, validFrom: toString(t.validFrom), validTo: toString(t.validTo), // [now]
// WITH fact_with_end(t) // [then]
// RETURN collect({id: t.id, text: t.content, sessionId: t.sessionId, createdAt: toString(t.createdAt), status: CASE WHEN over THEN 'superseded' ELSE 'active' END, // [then]
//   validFrom: toString(t.validFrom), validTo: toString(validTo), // [then]
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: [t.entityId], about: COLLECT { MATCH (e:Entity {agent_id: $agent_id, id: t.entityId}) RETURN e.name },
  successors: CASE WHEN t.status = 'superseded' THEN COLLECT { MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'}) // [now]
    WHERE all(l IN links WHERE l.undoneAt IS NULL) // [now]
//   successors: CASE WHEN over THEN COLLECT { MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute) // [then]
//     WHERE all(l IN links WHERE believed(l) AND l.validTo <= $as_of) // [then]
//       AND NOT fact_replaced(n) // [then]
    RETURN DISTINCT successor(n) } ELSE [] END}) AS hits
