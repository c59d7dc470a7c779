// purpose: entities known on a day in order of their canonical names, with what held on another
// params: agent_id STRING, type STRING, after STRING, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: entity MAP, canonical STRING
// mode: read
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still
MATCH (e:Entity)
WHERE e.agent_id = $agent_id AND e.canonicalName > $after AND ($type IS NULL OR e.type = $type) AND e.createdAt <= $known_at
WITH e ORDER BY e.agent_id, e.canonicalName
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, aliases: COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
    RETURN n.surface ORDER BY n.surface },
  aspectCount: COUNT { (e)-[:HAS_ASPECT]->(s:Aspect) WHERE s.createdAt <= $known_at },
  attributeCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {kind: 'attribute'})
    WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
      AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
      AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
      AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of }) },
  constraintCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {kind: 'constraint'})
    WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
      AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
      AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
      AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of }) },
  dependencyCount: COUNT { (e)-[d:DEPENDS_ON]-()
    WHERE d.createdAt <= $known_at AND d.validFrom <= $as_of
      AND (d.status IN ['active', 'superseded'] OR $known_at < coalesce(d.deletedAt, d.retiredAt))
      AND NOT coalesce((d.status = 'active' OR d.retiredAt <= $known_at) AND d.validTo <= $as_of, false)
      AND NOT any(i IN range(0, size(coalesce(d.retiredFrom, [])) - 1)
        WHERE d.retiredFrom[i] <= $known_at AND $known_at < d.retiredUntil[i] AND d.retiredEnd[i] <= $as_of) }} AS entity, e.canonicalName AS canonical
