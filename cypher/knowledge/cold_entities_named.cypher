// purpose: archived entities whose names hold some of these words, those with most of them first
// params: agent_id STRING, terms LIST<STRING>, type STRING, limit INTEGER
// returns: entity MAP
// mode: read
// fragments: entity_counts
// why: the cold tier has no text index on purpose: this plain search runs only on request
MATCH (e:ColdEntity)
WHERE e.agent_id = $agent_id AND e.id > '' AND ($type IS NULL OR e.type = $type)
WITH e, toLower(e.searchText) AS text
WITH e, size([term IN $terms WHERE text CONTAINS term]) AS met
WHERE met > 0
WITH e, met ORDER BY met DESC, e.canonicalName
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, status: 'cold', entity_counts(e)} AS entity
ORDER BY met DESC, e.canonicalName
