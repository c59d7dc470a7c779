// purpose: messages as hits; marked where all that they say is over, now or on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING> // [now]
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME // [then]
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: successor // [now]
// fragments: believed, fact_replaced, successor // [then]
// why: one row: the driver reads one of many hits faster than many of one
// why: words stay what they are; what they say may be over // [then]
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WITH m, EXISTS { (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute {status: 'superseded'}) } // [now]
  AND NOT EXISTS { (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute {status: 'active'}) } AS outdated // [now]
// WITH m, [(m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at | t] AS facts // [then]
// WITH m, facts, size(facts) > 0 AND NOT EXISTS { UNWIND facts AS t // [then]
//   WITH t WHERE NOT fact_replaced(t) // [then]
//   RETURN 1 } AS over // [then]
RETURN collect({id: m.id, text: m.searchText, sessionId: m.sessionId, createdAt: toString(m.createdAt),
  status: CASE WHEN outdated THEN 'superseded' ELSE 'active' END, // [now]
//   status: CASE WHEN over THEN 'superseded' ELSE 'active' END, // [then]
  messageIds: [m.messageId], entityIds: COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN outdated THEN COLLECT { MATCH (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'}) // [now]
    WHERE all(l IN links WHERE l.undoneAt IS NULL) // [now]
//   successors: CASE WHEN over THEN COLLECT { UNWIND facts AS t // [then]
//     MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute) // [then]
//     WHERE all(l IN links WHERE believed(l) AND l.validTo <= $as_of) // [then]
//       AND NOT fact_replaced(n) // [then]
    RETURN DISTINCT successor(n) } ELSE [] END}) AS hits
