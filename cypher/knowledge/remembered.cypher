// purpose: what a statement that is being kept touched, as its receipt shows it
// params: agent_id STRING, touched MAP
// returns: memory MAP, entities LIST<MAP>, attributes LIST<MAP>, dependencies LIST<MAP>
// mode: read
// fragments: entity_short, fact_sources, fact_claim, memory_row, dependency_row
// why: one round trip where the four statements that show one kind each take as many
// why: ids come in a map: a list is planned anew for each magnitude of its length, three lists for each pair and triple of them
MATCH (k:Memory {agent_id: $agent_id, id: $touched.memory})
RETURN memory_row(k) AS memory,
  COLLECT {
    UNWIND $touched.entities AS id
    MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
    RETURN entity_short(e)
  } AS entities,
  COLLECT {
    UNWIND $touched.attributes AS id
    MATCH (t:Attribute {agent_id: $agent_id, id: id})
    RETURN t {.id, .content, .kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo,
      .createdAt, .retiredAt, .supersededBy, .coldSourceId, .extractionLevel, fact_claim(t),
      fact_sources(t)}
  } AS attributes,
  COLLECT {
    UNWIND $touched.dependencies AS id
    MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity)
    WITH a, d, b ORDER BY a.name, b.name, d.type
    RETURN dependency_row(a, d, b)
  } AS dependencies
