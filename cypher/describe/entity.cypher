// purpose: what an entity is: its names, its weightiest facts, and its aspects
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
// fragments: aliases
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})
WITH e, COLLECT {
  MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
  RETURN left(t.content, $chars) ORDER BY t.kind DESC, t.importance DESC, t.validFrom DESC, t.id LIMIT 10
} AS facts
WITH e, substring(reduce(text = '', fact IN facts | text + '\n' + fact), 1) AS text
RETURN {
  chars: size(text),
  preview: left(text, $chars),
  metadata: e {.name, .type, .pinned, .mentions, .createdAt, status: CASE WHEN e:ColdEntity THEN 'cold' ELSE 'active' END,
    aliases: aliases(e)},
  counts: {
    attributes: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'attribute'}) },
    constraints: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'constraint'}) },
    superseded: COUNT { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'superseded'}) },
    dependencies: COUNT { MATCH (e)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL RETURN DISTINCT d },
    memories: COUNT { MATCH (e)<-[:MENTIONS]-(k:Memory|ColdMemory) RETURN DISTINCT k },
    summaries: COUNT { (e)<-[:ABOUT]-(:Summary) }},
  depths: COLLECT { MATCH (e)<-[:ABOUT]-(y:Summary) WITH y.depth AS depth, count(y) AS number RETURN {depth: depth, number: number} ORDER BY depth },
  childCount: COUNT { (e)-[:HAS_ASPECT]->(:Aspect) },
  children: COLLECT {
    MATCH (e)-[:HAS_ASPECT]->(s:Aspect)
    RETURN {id: s.id, kind: 'aspect', preview: s.name} ORDER BY s.weight DESC, s.name LIMIT $children
  }
} AS found
