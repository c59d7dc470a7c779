// purpose: what a statement that is being kept touched, as its receipt shows it
// params: agent_id STRING, touched MAP
// returns: memory MAP, entities LIST<MAP>, attributes LIST<MAP>, dependencies LIST<MAP>
// mode: read
// why: one round trip where the four statements that show one kind each take as many
// why: ids come in a map: a list is planned anew for each magnitude of its length, three lists for each pair and triple of them
MATCH (k:Memory {agent_id: $agent_id, id: $touched.memory})
RETURN k {.id, .content, .type, .status, .importance, .pinned, .project, .validFrom, .validTo, .createdAt,
  .supersededBy, .coldAt, .coldReason, .coldSourceId,
  attributeIds: COLLECT { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.id ORDER BY t.id },
  messageIds: COLLECT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m.messageId ORDER BY m.messageId },
  entityIds: COLLECT { MATCH (k)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN DISTINCT e.id ORDER BY e.id }} AS memory,
  COLLECT {
    UNWIND $touched.entities AS id
    MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
    RETURN e {.id, .name, .type, .pinned, status: CASE WHEN e:ColdEntity THEN 'cold' ELSE 'active' END, aliases: COLLECT {
      MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName RETURN n.surface ORDER BY n.surface }}
  } AS entities,
  COLLECT {
    UNWIND $touched.attributes AS id
    MATCH (t:Attribute {agent_id: $agent_id, id: id})
    RETURN t {.id, .content, .kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo,
      .createdAt, .retiredAt, .supersededBy, .coldSourceId, .extractionLevel,
      memoryIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(s:Memory|ColdMemory) RETURN s.id ORDER BY s.createdAt, s.id },
      messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                            RETURN DISTINCT m.messageId ORDER BY m.messageId }}
  } AS attributes,
  COLLECT {
    UNWIND $touched.dependencies AS id
    MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity)
    WITH a, d, b ORDER BY a.name, b.name, d.type
    RETURN {id: d.id, source: {id: a.id, name: a.name}, target: {id: b.id, name: b.name}, type: d.type, confidence: d.confidence,
      strength: d.strength, reason: d.reason, validFrom: d.validFrom, validTo: d.validTo,
      extractionLevel: coalesce(d.extractionLevel, 1),
      messageIds: COLLECT { UNWIND d.memoryIds AS memoryId
        MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
        RETURN DISTINCT m.messageId ORDER BY m.messageId }}
  } AS dependencies
