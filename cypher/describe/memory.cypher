// purpose: what a memory is, and which messages it was drawn from
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: $id})
RETURN {
  chars: size(k.content),
  preview: left(k.content, $chars),
  metadata: k {.type, .status, .importance, .pinned, .project, .validFrom, .validTo, .createdAt},
  counts: {
    attributes: COUNT { (k)<-[:DERIVED_FROM]-(:Attribute) },
    messages: COUNT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m },
    entities: COUNT { MATCH (k)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN DISTINCT e }},
  depths: [],
  childCount: COUNT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m },
  children: COLLECT {
    MATCH (k)-[:DERIVED_FROM]->(d:Message) WITH DISTINCT d
    RETURN {id: d.id, kind: 'message', preview: left(d.searchText, CASE WHEN d.contentChars < 120 THEN d.contentChars + size(coalesce(d.name + ': ', '')) ELSE 120 END)}
    ORDER BY d.ordinal, d.id LIMIT $children
  }
} AS found
