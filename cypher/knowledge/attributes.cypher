// purpose: attributes by id
// params: agent_id STRING, ids LIST<STRING>
// returns: attribute MAP
// mode: read
// fragments: fact_sources
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
RETURN t {.id, .content, .kind, .status, .entityId, .aspect, .claimKey, .confidence, .importance, .pinned, .validFrom, .validTo,
  .createdAt, .retiredAt, .supersededBy, .coldSourceId, .extractionLevel,
  fact_sources(t)} AS attribute
