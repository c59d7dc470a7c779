// purpose: messages as hits, with what the statements in them came to, now or on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: stands_now, successors_now, fact_replaced, successors_then, facts_now, facts_then, until_now, until_then
// why: one row: the driver reads one of many hits faster than many of one
// why: what is said to begin on a day still to come stands below what holds until then
// why: words stay what they are; what they say may be over // [then]
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WITH m, EXISTS { (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute {status: 'superseded'}) } // [now]
  AND NOT EXISTS { (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.status = 'active' OR stands_now(t) } AS outdated // [now]
// WITH m, [(m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at | t] AS facts // [then]
// WITH m, facts, size(facts) > 0 AND NOT EXISTS { UNWIND facts AS t // [then]
//   WITH t WHERE NOT fact_replaced(t) // [then]
//   RETURN 1 } AS over // [then]
RETURN collect({id: m.id, text: m.searchText, sessionId: m.sessionId, createdAt: toString(m.createdAt),
  status: CASE WHEN outdated THEN 'superseded' ELSE 'active' END, // [now]
//   status: CASE WHEN over THEN 'superseded' ELSE 'active' END, // [then]
  said: COLLECT { MATCH (m)<-[d:DERIVED_FROM]-(k:Memory|ColdMemory)
    RETURN [null, size(coalesce(m.name + ': ', '')) + d.start, size(coalesce(m.name + ': ', '')) + d.end, facts_now(k)] ORDER BY d.start, d.end, k.id LIMIT 200 }, // [now]
//     RETURN [null, size(coalesce(m.name + ': ', '')) + d.start, size(coalesce(m.name + ': ', '')) + d.end, facts_then(k)] ORDER BY d.start, d.end, k.id LIMIT 200 }, // [then]
  until: until_now(m), // [now]
//   until: until_then(m), // [then]
  messageIds: [m.messageId], entityIds: COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN outdated THEN COLLECT { MATCH (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'}) // [now]
    successors_now() } ELSE [] END}) AS hits // [now]
//   successors: CASE WHEN over THEN COLLECT { UNWIND facts AS t // [then]
//     successors_then() } ELSE [] END}) AS hits // [then]
