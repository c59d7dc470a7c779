// purpose: entities whose names match these words, best first, now or as known on a day
// params: agent_id STRING, query STRING, type STRING, limit INTEGER // [now]
// params: agent_id STRING, query STRING, type STRING, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME // [then]
// returns: entity MAP, score FLOAT
// mode: read
// variants: now | then
// fragments: entity_counts // [now]
// fragments: entity_counts_then // [then]
// why: the index trails behind what is written: it may still lead to an entity that went cold or into another a moment ago // [now]
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still // [then]
CALL db.index.fulltext.queryNodes('entity_text', $query) YIELD node AS e, score
WHERE e:Entity AND e.agent_id = $agent_id AND ($type IS NULL OR e.type = $type) // [now]
// WHERE e:Entity AND e.agent_id = $agent_id AND ($type IS NULL OR e.type = $type) AND e.createdAt <= $known_at // [then]
WITH e, score ORDER BY score DESC, e.id
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, entity_counts(e)} AS entity, score // [now]
// RETURN e {.id, .name, .type, .pinned, .mentions, entity_counts_then(e)} AS entity, score // [then]
