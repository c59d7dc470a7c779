// purpose: entities of these canonical names, with the facts and statements on them that hold, or held on a day
// params: agent_id STRING, names LIST<STRING>, limit INTEGER, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: entityId STRING, attributeIds LIST<STRING>, memoryIds LIST<STRING>, messageIds LIST<STRING>, nearby LIST<MAP>
// mode: read
// variants: now | then
// fragments: stands_now, fact_held, memory_begun, memory_stood, edge_held
// why: a question that needs a second step finds it in the facts of what the entity rests on, or what rests on it, and in the messages these were drawn from; the first 200 edges, since some have 50,000 // [now]
UNWIND $names AS canonical
MATCH (w:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity)
WITH DISTINCT e
RETURN e.id AS entityId,
  COLLECT { MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute) // [now]
            WHERE stands_now(t) // [now]
//   COLLECT { MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute) // [then]
//             WHERE fact_held(t) // [then]
            RETURN t.id ORDER BY t.importance DESC, t.validFrom DESC, t.id LIMIT $limit } AS attributeIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(k:Memory) // [now]
            WHERE stands_now(k) // [now]
//   COLLECT { MATCH (e)<-[:MENTIONS]-(k:Memory) // [then]
//             WHERE memory_begun(k) // [then]
//               AND ((memory_stood(k))) // [then]
            RETURN k.id ORDER BY k.validFrom DESC, k.id LIMIT $limit } AS memoryIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(m:Message) WHERE m.archivedAt IS NULL RETURN m.id ORDER BY m.createdAt DESC, m.id LIMIT $limit } AS messageIds, // [now]
//   COLLECT { MATCH (e)<-[:MENTIONS]-(m:Message) WHERE m.archivedAt IS NULL AND m.ingestedAt <= $known_at // [then]
//             RETURN m.id ORDER BY m.createdAt DESC, m.id LIMIT $limit } AS messageIds, // [then]
  COLLECT { MATCH (e)-[d:DEPENDS_ON]-(o:Entity)
            WHERE stands_now(d) // [now]
//             WHERE edge_held(d) // [then]
            WITH d, o LIMIT 200
            WITH d, o ORDER BY d.confidence DESC, d.strength DESC, o.id LIMIT 10
            MATCH (o)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute) // [now]
            WHERE stands_now(t) // [now]
//             MATCH (o)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute) // [then]
//             WHERE fact_held(t) // [then]
            WITH t, max(d.confidence) AS sure ORDER BY sure DESC, t.importance DESC, t.validFrom DESC, t.id LIMIT $limit
            RETURN {id: t.id, messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                    WHERE m.archivedAt IS NULL RETURN DISTINCT m.id ORDER BY m.id LIMIT 5 }} } AS nearby // [now]
//                     WHERE m.archivedAt IS NULL AND m.ingestedAt <= $known_at RETURN DISTINCT m.id ORDER BY m.id LIMIT 5 }} } AS nearby // [then]
