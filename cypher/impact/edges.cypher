// purpose: the edges of the paths that an impact lists
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, sourceId STRING, sourceName STRING, targetId STRING, targetName STRING, type STRING, confidence FLOAT, strength FLOAT, reason STRING, validFrom STRING, validTo STRING, extractionLevel INTEGER, active BOOLEAN, messageIds LIST<STRING>
// mode: read
// why: times as text, and values instead of a map: a thousand edges come in half the time
UNWIND $ids AS id
MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity)
RETURN d.id AS id, a.id AS sourceId, a.name AS sourceName, b.id AS targetId, b.name AS targetName, d.type AS type,
  d.confidence AS confidence, d.strength AS strength, d.reason AS reason, toString(d.validFrom) AS validFrom,
  toString(d.validTo) AS validTo, coalesce(d.extractionLevel, 1) AS extractionLevel,
  d.activeKey IS NOT NULL AS active,
  COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    RETURN DISTINCT m.messageId ORDER BY m.messageId } AS messageIds
