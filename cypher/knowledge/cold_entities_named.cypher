// purpose: archived entities whose names hold some of these words, those with most of them first
// params: agent_id STRING, terms LIST<STRING>, type STRING, limit INTEGER
// returns: entity MAP
// mode: read
// why: the cold tier has no text index on purpose: this plain search runs only on request
MATCH (e:ColdEntity)
WHERE e.agent_id = $agent_id AND e.id > '' AND ($type IS NULL OR e.type = $type)
WITH e, toLower(e.searchText) AS text
WITH e, size([term IN $terms WHERE text CONTAINS term]) AS met
WHERE met > 0
WITH e, met ORDER BY met DESC, e.canonicalName
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, status: 'cold', aliases: COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
    RETURN n.surface ORDER BY n.surface },
  aspectCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect) },
  attributeCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'attribute'}) },
  constraintCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'constraint'}) },
  dependencyCount: COUNT { (e)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL }} AS entity
ORDER BY met DESC, e.canonicalName
