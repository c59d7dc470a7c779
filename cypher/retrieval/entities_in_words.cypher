// purpose: entities of these canonical names, with the facts and statements on them
// params: agent_id STRING, names LIST<STRING>, limit INTEGER, now ZONED DATETIME
// returns: entityId STRING, attributeIds LIST<STRING>, memoryIds LIST<STRING>, messageIds LIST<STRING>, nearby LIST<MAP>
// mode: read
// why: a question that needs a second step finds it in the facts of what the entity rests on, or what rests on it, and in the messages these were drawn from; the first 200 edges, since some have 50,000
UNWIND $names AS canonical
MATCH (w:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity)
WITH DISTINCT e
RETURN e.id AS entityId,
  COLLECT { MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
            WHERE t.validFrom <= $now AND (t.validTo IS NULL OR $now < t.validTo)
            RETURN t.id ORDER BY t.importance DESC, t.validFrom DESC, t.id LIMIT $limit } AS attributeIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(k:Memory {status: 'active'})
            WHERE k.validFrom <= $now AND (k.validTo IS NULL OR $now < k.validTo)
            RETURN k.id ORDER BY k.validFrom DESC, k.id LIMIT $limit } AS memoryIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(m:Message) WHERE m.archivedAt IS NULL RETURN m.id ORDER BY m.createdAt DESC, m.id LIMIT $limit } AS messageIds,
  COLLECT { MATCH (e)-[d:DEPENDS_ON]-(o:Entity)
            WHERE d.activeKey IS NOT NULL AND d.validFrom <= $now AND (d.validTo IS NULL OR $now < d.validTo)
            WITH d, o LIMIT 200
            WITH d, o ORDER BY d.confidence DESC, d.strength DESC, o.id LIMIT 10
            MATCH (o)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
            WHERE t.validFrom <= $now AND (t.validTo IS NULL OR $now < t.validTo)
            WITH t, max(d.confidence) AS sure ORDER BY sure DESC, t.importance DESC, t.validFrom DESC, t.id LIMIT $limit
            RETURN {id: t.id, messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                    WHERE m.archivedAt IS NULL RETURN DISTINCT m.id ORDER BY m.id LIMIT 5 }} } AS nearby
