// purpose: a page of the entities that were known on a day, in order of their canonical names
// params: agent_id STRING, after STRING, limit INTEGER, known_at ZONED DATETIME
// returns: entity MAP, canonical STRING
// mode: read
MATCH (e:Entity)
WHERE e.agent_id = $agent_id AND e.canonicalName > $after AND e.createdAt <= $known_at
WITH e ORDER BY e.agent_id, e.canonicalName
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, aliases: COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
    RETURN n.surface ORDER BY n.surface }} AS entity, e.canonicalName AS canonical
