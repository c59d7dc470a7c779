// purpose: memories by id
// params: agent_id STRING, ids LIST<STRING>
// returns: memory MAP
// mode: read
UNWIND $ids AS id
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
RETURN k {.id, .content, .type, .status, .importance, .pinned, .project, .validFrom, .validTo, .createdAt,
  .supersededBy, .coldAt, .coldReason, .coldSourceId,
  attributeIds: COLLECT { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.id ORDER BY t.id },
  messageIds: COLLECT { MATCH (k)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m.messageId ORDER BY m.messageId },
  entityIds: COLLECT { MATCH (k)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN DISTINCT e.id ORDER BY e.id }} AS memory
