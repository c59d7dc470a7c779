// purpose: messages as hits; those whose facts had all ended on a day, as was known on another, are marked
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// why: words stay what they are; what they say may be over
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WITH m, [(m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at | t] AS facts
WITH m, facts, size(facts) > 0 AND NOT EXISTS { UNWIND facts AS t
  WITH t WHERE NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of }
  RETURN 1 } AS over
RETURN collect({id: m.id, text: m.searchText, sessionId: m.sessionId, createdAt: toString(m.createdAt),
  status: CASE WHEN over THEN 'superseded' ELSE 'active' END,
  messageIds: [m.messageId], entityIds: COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN over THEN COLLECT { UNWIND facts AS t
    MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute)
    WHERE all(l IN links WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of)
      AND NOT EXISTS { (n)-[o:SUPERSEDED_BY|RETIRED_BY]->() WHERE o.at <= $known_at AND coalesce($known_at < o.undoneAt, true) AND o.validTo <= $as_of }
    RETURN DISTINCT {id: n.id, memoryIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(w:Memory) RETURN w.id },
      messageIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(o:Message) RETURN o.id }} } ELSE [] END}) AS hits
