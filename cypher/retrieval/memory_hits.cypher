// purpose: statements as hits, now or as they stood on a day and were known on another
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: status_now, successors_now, believed, own_end, successors_then, facts_now
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
RETURN collect({id: k.id, text: k.content, sessionId: k.sessionId, createdAt: toString(k.createdAt), status: status_now(k), validFrom: toString(k.validFrom), validTo: toString(k.validTo), // [now]
// WITH k, own_end(k) AS ownEnd, // [then]
//   [(k)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at | t] AS facts, // [then]
//   head(COLLECT { MATCH (r:Memory|ColdMemory {agent_id: $agent_id, id: k.supersededBy}) // [then]
//     WHERE r.createdAt <= $known_at AND r.validFrom <= $as_of RETURN r {.id, .validFrom} }) AS instead // [then]
// WITH k, ownEnd, facts, instead, COLLECT { // [then]
//     UNWIND facts AS t // [then]
//     MATCH (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() // [then]
//     WHERE believed(l) // [then]
//     RETURN l.validTo ORDER BY l.validTo } AS ends // [then]
// WITH k, facts, instead, instead IS NOT NULL OR (size(facts) > 0 AND size([end IN ends WHERE end <= $as_of]) >= size(facts)) AS over, // [then]
//   CASE WHEN instead IS NOT NULL THEN coalesce(ownEnd, instead.validFrom) WHEN size(facts) > 0 AND size(ends) >= size(facts) // [then]
//     THEN CASE WHEN ownEnd < last(ends) THEN ownEnd ELSE last(ends) END ELSE ownEnd END AS validTo // [then]
// RETURN collect({id: k.id, text: k.content, sessionId: k.sessionId, createdAt: toString(k.createdAt), status: CASE WHEN over THEN 'superseded' ELSE 'active' END, // [then]
//   validFrom: toString(k.validFrom), validTo: toString(validTo), // [then]
  said: [[null, 0, size(k.content), facts_now(k)]], // [now]
  messageIds: COLLECT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: COLLECT { MATCH (k)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN coalesce(k.coldStatus, status_now(k)) = 'superseded' THEN COLLECT { MATCH (k)<-[:DERIVED_FROM]-(:Attribute)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'}) // [now]
    successors_now() } ELSE [] END}) AS hits // [now]
//   successors: CASE WHEN over THEN COLLECT { UNWIND facts AS t // [then]
//     successors_then() } ELSE [] END}) AS hits // [then]
