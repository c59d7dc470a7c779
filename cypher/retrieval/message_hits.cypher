// purpose: messages as hits
// params: agent_id STRING, ids LIST<STRING>
// returns: hits LIST<MAP>
// mode: read
// why: one row: the driver reads one of many hits faster than many of one
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WITH m, EXISTS { (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute {status: 'superseded'}) }
  AND NOT EXISTS { (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute {status: 'active'}) } AS outdated
RETURN collect({id: m.id, text: m.searchText, sessionId: m.sessionId, createdAt: toString(m.createdAt),
  status: CASE WHEN outdated THEN 'superseded' ELSE 'active' END,
  messageIds: [m.messageId], entityIds: COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 },
  successors: CASE WHEN outdated THEN COLLECT { MATCH (m)<-[:DERIVED_FROM]-(:Memory|ColdMemory)<-[:DERIVED_FROM]-(:Attribute)-[links:SUPERSEDED_BY*1..10]->(n:Attribute {status: 'active'})
    WHERE all(l IN links WHERE l.undoneAt IS NULL)
    RETURN DISTINCT {id: n.id, memoryIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(w:Memory) RETURN w.id },
      messageIds: COLLECT { MATCH (n)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(o:Message) RETURN o.id }} } ELSE [] END}) AS hits
