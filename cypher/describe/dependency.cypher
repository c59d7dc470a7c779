// purpose: what a dependency is: its ends and its reason
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
// fragments: edge_sources
MATCH (s)-[d:DEPENDS_ON {agent_id: $agent_id, id: $id}]->(t)
WITH s, d, t, s.name + ' ' + replace(d.type, '_', ' ') + ' ' + t.name + coalesce('. ' + d.reason, '') AS text
RETURN {
  chars: size(text),
  preview: left(text, $chars),
  metadata: d {.type, .confidence, .givenConfidence, .strength, .status, .explicit, .validFrom, .validTo, .createdAt, .retiredAt,
    extractionLevel: coalesce(d.extractionLevel, 1), why: d.basis, sourceId: s.id, targetId: t.id},
  counts: {memories: size(coalesce(d.memoryIds, [])), sources: edge_sources(d)},
  depths: [],
  childCount: 2,
  children: [{id: s.id, kind: 'entity', preview: left(s.name, 120)}, {id: t.id, kind: 'entity', preview: left(t.name, 120)}][..$children]
} AS found
