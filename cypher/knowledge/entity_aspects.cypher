// purpose: the aspects of an entity with the facts that hold, or held on a day, heaviest first
// params: agent_id STRING, id STRING, superseded BOOLEAN, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: aspect MAP
// mode: read
// variants: now | then
// fragments: stands_now, status_now, fact_sources, fact_claim, fact_begun, fact_replaced, fact_with_end, fact_then
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})-[:HAS_ASPECT]->(s:Aspect)
RETURN s {.id, .name, .weight, attributes: COLLECT {
  MATCH (s)-[:HAS_ATTRIBUTE]->(t:Attribute)
  WHERE stands_now(t) // [now]
     OR ($superseded AND t.status = 'superseded') // [now]
  RETURN t {.id, .content, .kind, status: status_now(t), .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo, // [now]
  .createdAt, .retiredAt, .supersededBy, .extractionLevel, fact_claim(t), // [now]
  fact_sources(t)} ORDER BY status_now(t), t.kind DESC, t.importance DESC, t.validFrom DESC, t.id // [now]
//   WHERE fact_begun(t) // [then]
//     AND ($superseded OR NOT fact_replaced(t)) // [then]
//   WITH fact_with_end(t) // [then]
//   RETURN fact_then(t) ORDER BY over, t.kind DESC, t.importance DESC, t.validFrom DESC, t.id // [then]
}} AS aspect
ORDER BY s.weight DESC, s.name
