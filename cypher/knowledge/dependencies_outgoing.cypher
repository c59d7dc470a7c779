// purpose: what an entity needs, strongest first
// params: agent_id STRING, id STRING, limit INTEGER, now ZONED DATETIME
// returns: dependency MAP
// mode: read
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})-[d:DEPENDS_ON]->(o:Entity|ColdEntity)
WHERE d.activeKey IS NOT NULL AND d.validFrom <= $now AND (d.validTo IS NULL OR $now < d.validTo)
WITH e AS a, o AS b, d, o
ORDER BY d.strength DESC, d.confidence DESC, o.name, d.id
LIMIT $limit
RETURN {id: d.id, source: {id: a.id, name: a.name}, target: {id: b.id, name: b.name}, type: d.type, confidence: d.confidence,
  strength: d.strength, reason: d.reason, validFrom: d.validFrom, validTo: d.validTo,
  extractionLevel: coalesce(d.extractionLevel, 1),
  messageIds: COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    RETURN DISTINCT m.messageId ORDER BY m.messageId }} AS dependency
