// purpose: entities whose names match these words, best first
// params: agent_id STRING, query STRING, type STRING, limit INTEGER
// returns: entity MAP, score FLOAT
// mode: read
// why: the index trails behind what is written: it may still lead to an entity that went cold or into another a moment ago
CALL db.index.fulltext.queryNodes('entity_text', $query) YIELD node AS e, score
WHERE e:Entity AND e.agent_id = $agent_id AND ($type IS NULL OR e.type = $type)
WITH e, score ORDER BY score DESC, e.id
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, aliases: COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
    RETURN n.surface ORDER BY n.surface },
  aspectCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect) },
  attributeCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'attribute'}) },
  constraintCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'constraint'}) },
  dependencyCount: COUNT { (e)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL }} AS entity, score
