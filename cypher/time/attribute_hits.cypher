// purpose: facts as hits, as they stood on a day and were known on another
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
WITH t, head(COLLECT {
  MATCH (t)-[l:SUPERSEDED_BY|RETIRED_BY]->(n:Attribute|Rollback)
  WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true)
  RETURN {by: CASE WHEN n:Attribute THEN n.id END, validTo: l.validTo, at: l.at} ORDER BY l.validTo, l.at, n.id LIMIT 1 }) AS link, CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END AS ownEnd
WITH t, link, coalesce(link.validTo <= $as_of, false) AS over,
  CASE WHEN link.validTo IS NULL OR ownEnd < link.validTo THEN ownEnd ELSE link.validTo END AS validTo
RETURN collect({id: t.id, text: t.content, sessionId: t.sessionId, createdAt: toString(t.createdAt), status: CASE WHEN over THEN 'superseded' ELSE 'active' END,
  validFrom: toString(t.validFrom), validTo: toString(validTo),
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: [t.entityId], about: COLLECT { MATCH (e:Entity {agent_id: $agent_id, id: t.entityId}) RETURN e.name },
  successors: CASE WHEN over THEN COLLECT { MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute)
    WHERE all(l IN links WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of)
      AND NOT EXISTS { (n)-[o:SUPERSEDED_BY|RETIRED_BY]->() WHERE o.at <= $known_at AND coalesce($known_at < o.undoneAt, true) AND o.validTo <= $as_of }
    RETURN DISTINCT {id: n.id, memoryIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(w:Memory) RETURN w.id },
      messageIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(o:Message) RETURN o.id }} } ELSE [] END}) AS hits
