// purpose: by id: entities as they are shown or in short, facts, memories, and dependencies as they are shown or in short
// params: agent_id STRING, ids LIST<STRING>
// returns: entity MAP // [entities]
// returns: entities LIST<LIST<STRING>> // [entities_short]
// returns: attribute MAP // [attributes]
// returns: memory MAP // [memories]
// returns: dependency MAP // [dependencies]
// returns: edges LIST<LIST<ANY>> // [dependencies_short]
// mode: read
// variants: entities | entities_short | attributes | memories | dependencies | dependencies_short
// fragments: entity_short, fact_sources, fact_claim, memory_row, dependency_row
// why: the walk brings ids only, of which most are not listed // [entities_short]
// why: one row of lists, times as text: a thousand rows with names for their values take the driver ten times as long // [dependencies_short]
UNWIND $ids AS id
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id}) // [entities, entities_short]
RETURN entity_short(e) AS entity // [entities]
// RETURN collect([e.id, e.name, e.type]) AS entities // [entities_short]
// MATCH (t:Attribute {agent_id: $agent_id, id: id}) // [attributes]
// RETURN t {.id, .content, .kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo, // [attributes]
//   .createdAt, .retiredAt, .supersededBy, .coldSourceId, .extractionLevel, fact_claim(t), // [attributes]
//   fact_sources(t)} AS attribute // [attributes]
// MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id}) // [memories]
// RETURN memory_row(k) AS memory // [memories]
// MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity) // [dependencies, dependencies_short]
// RETURN dependency_row(a, d, b) AS dependency // [dependencies]
// ORDER BY a.name, b.name, d.type // [dependencies]
// RETURN collect([d.id, a.id, a.name, b.id, b.name, d.type, d.confidence, d.strength, d.reason, toString(d.validFrom), toString(d.validTo), // [dependencies_short]
//   coalesce(d.extractionLevel, 1), d.activeKey IS NOT NULL, // [dependencies_short]
//   COLLECT { UNWIND d.memoryIds AS memoryId // [dependencies_short]
//     MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message) // [dependencies_short]
//     RETURN DISTINCT m.messageId ORDER BY m.messageId }]) AS edges // [dependencies_short]
