// purpose: what an aspect is: its weightiest facts
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
MATCH (s:Aspect {agent_id: $agent_id, id: $id})
WITH s, COLLECT {
  MATCH (s)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
  RETURN {id: t.id, kind: 'attribute', preview: left(t.content, 120)} ORDER BY t.kind DESC, t.importance DESC, t.validFrom DESC, t.id LIMIT $children
} AS facts
WITH s, facts, substring(reduce(text = '', fact IN facts | text + '\n' + fact.preview), 1) AS text
RETURN {
  chars: size(text),
  preview: left(text, $chars),
  metadata: s {.name, .weight, .entityId, .createdAt},
  counts: {
    active: COUNT { (s)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active'}) },
    superseded: COUNT { (s)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'superseded'}) }},
  depths: [],
  childCount: COUNT { (s)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active'}) },
  children: facts
} AS found
