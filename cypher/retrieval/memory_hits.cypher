// purpose: memories as hits
// params: agent_id STRING, ids LIST<STRING>
// returns: hits LIST<MAP>
// mode: read
// fragments: successor
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
RETURN collect({id: k.id, text: k.content, sessionId: k.sessionId, createdAt: toString(k.createdAt), status: k.status, validFrom: toString(k.validFrom), validTo: toString(k.validTo),
  messageIds: COLLECT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 },
  entityIds: COLLECT { MATCH (k)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN coalesce(k.coldStatus, k.status) = 'superseded' THEN COLLECT { MATCH (k)<-[:DERIVED_FROM]-(:Attribute)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'})
    WHERE all(l IN links WHERE l.undoneAt IS NULL)
    RETURN DISTINCT successor(n) } ELSE [] END}) AS hits
