// purpose: entities in order of their canonical names: those in use, the archived, or those known on a day
// params: agent_id STRING, type STRING, after STRING, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: entity MAP, canonical STRING
// mode: read
// variants: active | cold | then | exported
// fragments: entity_counts, entity_counts_then, aliases
MATCH (e:Entity) // [active, then, exported]
// MATCH (e:ColdEntity) // [cold]
WHERE e.agent_id = $agent_id AND e.canonicalName > $after AND ($type IS NULL OR e.type = $type) // [active, cold]
// WHERE e.agent_id = $agent_id AND e.canonicalName > $after AND ($type IS NULL OR e.type = $type) AND e.createdAt <= $known_at // [then]
// WHERE e.agent_id = $agent_id AND e.canonicalName > $after AND e.createdAt <= $known_at // [exported]
WITH e ORDER BY e.agent_id, e.canonicalName
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, entity_counts(e)} AS entity, e.canonicalName AS canonical // [active]
// RETURN e {.id, .name, .type, .pinned, .mentions, status: 'cold', entity_counts(e)} AS entity, e.canonicalName AS canonical // [cold]
// RETURN e {.id, .name, .type, .pinned, .mentions, entity_counts_then(e)} AS entity, e.canonicalName AS canonical // [then]
// RETURN e {.id, .name, .type, .pinned, aliases: aliases(e)} AS entity, e.canonicalName AS canonical // [exported]
