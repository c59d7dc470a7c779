// purpose: dependencies by id
// params: agent_id STRING, ids LIST<STRING>
// returns: dependency MAP
// mode: read
UNWIND $ids AS id
MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity)
RETURN {id: d.id, source: {id: a.id, name: a.name}, target: {id: b.id, name: b.name}, type: d.type, confidence: d.confidence,
  strength: d.strength, reason: d.reason, validFrom: d.validFrom, validTo: d.validTo,
  extractionLevel: coalesce(d.extractionLevel, 1),
  messageIds: COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    RETURN DISTINCT m.messageId ORDER BY m.messageId }} AS dependency
ORDER BY a.name, b.name, d.type
