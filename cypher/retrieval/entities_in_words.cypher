// purpose: entities of these canonical names, with the facts and statements on them
// params: agent_id STRING, names LIST<STRING>, limit INTEGER, now ZONED DATETIME
// returns: entityId STRING, attributeIds LIST<STRING>, memoryIds LIST<STRING>, messageIds LIST<STRING>
// mode: read
UNWIND $names AS canonical
MATCH (:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity)
WITH DISTINCT e
RETURN e.id AS entityId,
  COLLECT { MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
            WHERE t.validFrom <= $now AND (t.validTo IS NULL OR $now < t.validTo)
            RETURN t.id ORDER BY t.importance DESC, t.validFrom DESC, t.id LIMIT $limit } AS attributeIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(k:Memory {status: 'active'})
            WHERE k.validFrom <= $now AND (k.validTo IS NULL OR $now < k.validTo)
            RETURN k.id ORDER BY k.validFrom DESC, k.id LIMIT $limit } AS memoryIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(m:Message) WHERE m.archivedAt IS NULL RETURN m.id ORDER BY m.createdAt DESC, m.id LIMIT $limit } AS messageIds
