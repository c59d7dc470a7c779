// purpose: what a fact is, and which memories it was drawn from
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
// fragments: fact_claim, fact_sources_count
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
RETURN {
  chars: size(t.content),
  preview: left(t.content, $chars),
  metadata: t {.kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo, .createdAt,
    .retiredAt, .supersededBy, .extractionLevel, why: t.basis, fact_claim(t)},
  counts: {sources: fact_sources_count(t), memories: COUNT { (t)-[:DERIVED_FROM]->(:Memory|ColdMemory) }},
  depths: [],
  childCount: COUNT { (t)-[:DERIVED_FROM]->(:Memory|ColdMemory) },
  children: COLLECT {
    MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory)
    RETURN {id: k.id, kind: 'memory', preview: left(k.content, 120)} ORDER BY k.createdAt, k.id LIMIT $children
  }
} AS found
