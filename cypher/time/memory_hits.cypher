// purpose: statements as hits, as they stood on a day and were known on another
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// fragments: believed, own_end, fact_replaced, successor
// why: a statement holds while one of its facts does, and one without facts until another took its place
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
WITH k, own_end(k) AS ownEnd,
  [(k)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at | t] AS facts,
  head(COLLECT { MATCH (r:Memory|ColdMemory {agent_id: $agent_id, id: k.supersededBy})
    WHERE r.createdAt <= $known_at AND r.validFrom <= $as_of RETURN r {.id, .validFrom} }) AS instead
WITH k, ownEnd, facts, instead, COLLECT {
    UNWIND facts AS t
    MATCH (t)-[l:SUPERSEDED_BY|RETIRED_BY]->()
    WHERE believed(l)
    RETURN l.validTo ORDER BY l.validTo } AS ends
WITH k, facts, instead, instead IS NOT NULL OR (size(facts) > 0 AND size([end IN ends WHERE end <= $as_of]) >= size(facts)) AS over,
  CASE WHEN instead IS NOT NULL THEN coalesce(ownEnd, instead.validFrom) WHEN size(facts) > 0 AND size(ends) >= size(facts)
    THEN CASE WHEN ownEnd < last(ends) THEN ownEnd ELSE last(ends) END ELSE ownEnd END AS validTo
RETURN collect({id: k.id, text: k.content, sessionId: k.sessionId, createdAt: toString(k.createdAt), status: CASE WHEN over THEN 'superseded' ELSE 'active' END,
  validFrom: toString(k.validFrom), validTo: toString(validTo),
  messageIds: COLLECT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: COLLECT { MATCH (k)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN over THEN COLLECT { UNWIND facts AS t
    MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute)
    WHERE all(l IN links WHERE believed(l) AND l.validTo <= $as_of)
      AND NOT fact_replaced(n)
    RETURN DISTINCT successor(n) } ELSE [] END}) AS hits
