// purpose: the aspects of an entity with their facts, heaviest first
// params: agent_id STRING, id STRING, superseded BOOLEAN, now ZONED DATETIME
// returns: aspect MAP
// mode: read
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})-[:HAS_ASPECT]->(s:Aspect)
RETURN s {.id, .name, .weight, attributes: COLLECT {
  MATCH (s)-[:HAS_ATTRIBUTE]->(t:Attribute)
  WHERE (t.status = 'active' AND t.validFrom <= $now AND (t.validTo IS NULL OR $now < t.validTo))
     OR ($superseded AND t.status = 'superseded')
  RETURN t {.id, .content, .kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo,
  .createdAt, .retiredAt, .supersededBy, .extractionLevel,
  memoryIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory) RETURN k.id ORDER BY k.createdAt, k.id },
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId }} ORDER BY t.status, t.kind DESC, t.importance DESC, t.validFrom DESC, t.id
}} AS aspect
ORDER BY s.weight DESC, s.name
