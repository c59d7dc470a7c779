// purpose: attributes by id
// params: agent_id STRING, ids LIST<STRING>
// returns: attribute MAP
// mode: read
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
RETURN t {.id, .content, .kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo,
  .createdAt, .retiredAt, .supersededBy, .coldSourceId, .extractionLevel,
  memoryIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory) RETURN k.id ORDER BY k.createdAt, k.id },
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId }} AS attribute
