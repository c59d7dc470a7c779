// purpose: entities whose names match these words, best first, now or as known on a day
// params: agent_id STRING, query STRING, type STRING, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME, terms LIST<STRING>
// returns: entity MAP, score FLOAT // [now, then]
// returns: entity MAP // [cold]
// mode: read
// variants: now | then | cold
// fragments: entity_counts, entity_counts_then
// why: the index trails behind what is written: it may still lead to an entity that went cold or into another a moment ago // [now]
// why: the cold tier has no text index on purpose: this plain search runs only on request // [cold]
CALL db.index.fulltext.queryNodes('entity_text', $query) YIELD node AS e, score // [now, then]
WHERE e:Entity AND e.agent_id = $agent_id AND ($type IS NULL OR e.type = $type) // [now]
// WHERE e:Entity AND e.agent_id = $agent_id AND ($type IS NULL OR e.type = $type) AND e.createdAt <= $known_at // [then]
WITH e, score ORDER BY score DESC, e.id // [now, then]
// MATCH (e:ColdEntity) // [cold]
// WHERE e.agent_id = $agent_id AND e.id > '' AND ($type IS NULL OR e.type = $type) // [cold]
// WITH e, toLower(e.searchText) AS text // [cold]
// WITH e, size([term IN $terms WHERE text CONTAINS term]) AS met // [cold]
// WHERE met > 0 // [cold]
// WITH e, met ORDER BY met DESC, e.canonicalName // [cold]
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, entity_counts(e)} AS entity, score // [now]
// RETURN e {.id, .name, .type, .pinned, .mentions, entity_counts_then(e)} AS entity, score // [then]
// RETURN e {.id, .name, .type, .pinned, .mentions, status: 'cold', entity_counts(e)} AS entity // [cold]
// ORDER BY met DESC, e.canonicalName // [cold]
