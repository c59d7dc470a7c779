// purpose: facts as hits
// params: agent_id STRING, ids LIST<STRING>
// returns: hits LIST<MAP>
// mode: read
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
RETURN collect({id: t.id, text: t.content, sessionId: t.sessionId, createdAt: toString(t.createdAt), status: t.status, validFrom: toString(t.validFrom), validTo: toString(t.validTo),
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: [t.entityId], about: COLLECT { MATCH (e:Entity {agent_id: $agent_id, id: t.entityId}) RETURN e.name },
  successors: CASE WHEN t.status = 'superseded' THEN COLLECT { MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'})
    WHERE all(l IN links WHERE l.undoneAt IS NULL)
    RETURN DISTINCT {id: n.id, memoryIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(w:Memory) RETURN w.id },
      messageIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(o:Message) RETURN o.id }} } ELSE [] END}) AS hits
