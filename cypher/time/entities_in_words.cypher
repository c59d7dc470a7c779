// purpose: entities of these canonical names, with the facts and statements on them that held on a day, as was known on another
// params: agent_id STRING, names LIST<STRING>, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: entityId STRING, attributeIds LIST<STRING>, memoryIds LIST<STRING>, messageIds LIST<STRING>, nearby LIST<MAP>
// mode: read
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still
UNWIND $names AS canonical
MATCH (w:Name {agent_id: $agent_id, canonical: canonical})-[:NAMES]->(e:Entity)
WITH DISTINCT e
RETURN e.id AS entityId,
  COLLECT { MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
            WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
              AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
              AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
              AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of })
            RETURN t.id ORDER BY t.importance DESC, t.validFrom DESC, t.id LIMIT $limit } AS attributeIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(k:Memory)
            WHERE k.createdAt <= $known_at AND k.validFrom <= $as_of
              AND coalesce($as_of < CASE WHEN 'superseded' IN [k.status, k.coldStatus] THEN k.ownValidTo ELSE k.validTo END, true)
              AND ((NOT (EXISTS { (k)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at }
                AND NOT EXISTS { (k)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
                AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
                AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
                AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of }) })
                AND NOT EXISTS { MATCH (r:Memory|ColdMemory {agent_id: $agent_id, id: k.supersededBy}) WHERE r.createdAt <= $known_at AND r.validFrom <= $as_of }))
            RETURN k.id ORDER BY k.validFrom DESC, k.id LIMIT $limit } AS memoryIds,
  COLLECT { MATCH (e)<-[:MENTIONS]-(m:Message) WHERE m.archivedAt IS NULL AND m.ingestedAt <= $known_at
            RETURN m.id ORDER BY m.createdAt DESC, m.id LIMIT $limit } AS messageIds,
  COLLECT { MATCH (e)-[d:DEPENDS_ON]-(o:Entity)
            WHERE d.createdAt <= $known_at AND d.validFrom <= $as_of
              AND (d.status IN ['active', 'superseded'] OR $known_at < coalesce(d.deletedAt, d.retiredAt))
              AND NOT coalesce((d.status = 'active' OR d.retiredAt <= $known_at) AND d.validTo <= $as_of, false)
              AND NOT any(i IN range(0, size(coalesce(d.retiredFrom, [])) - 1)
                WHERE d.retiredFrom[i] <= $known_at AND $known_at < d.retiredUntil[i] AND d.retiredEnd[i] <= $as_of)
            WITH d, o LIMIT 200
            WITH d, o ORDER BY d.confidence DESC, d.strength DESC, o.id LIMIT 10
            MATCH (o)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
            WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
              AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
              AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
              AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of })
            WITH t, max(d.confidence) AS sure ORDER BY sure DESC, t.importance DESC, t.validFrom DESC, t.id LIMIT $limit
            RETURN {id: t.id, messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                    WHERE m.archivedAt IS NULL AND m.ingestedAt <= $known_at RETURN DISTINCT m.id ORDER BY m.id LIMIT 5 }} } AS nearby
