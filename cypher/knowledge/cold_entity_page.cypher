// purpose: archived entities in order of their canonical names
// params: agent_id STRING, type STRING, after STRING, limit INTEGER
// returns: entity MAP, canonical STRING
// mode: read
MATCH (e:ColdEntity)
WHERE e.agent_id = $agent_id AND e.canonicalName > $after AND ($type IS NULL OR e.type = $type)
WITH e ORDER BY e.agent_id, e.canonicalName
LIMIT $limit
RETURN e {.id, .name, .type, .pinned, .mentions, status: 'cold', aliases: COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
    RETURN n.surface ORDER BY n.surface },
  aspectCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect) },
  attributeCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'attribute'}) },
  constraintCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'constraint'}) },
  dependencyCount: COUNT { (e)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL }} AS entity, e.canonicalName AS canonical
