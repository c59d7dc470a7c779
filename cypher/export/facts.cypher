// purpose: the facts of entities that held on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING>, superseded BOOLEAN, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: attribute MAP
// mode: read
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still
UNWIND $ids AS id
MATCH (e:Entity {agent_id: $agent_id, id: id})-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
  AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
  AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
  AND ($superseded OR NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of })
WITH t, head(COLLECT {
  MATCH (t)-[l:SUPERSEDED_BY|RETIRED_BY]->(n:Attribute|Rollback)
  WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true)
  RETURN {by: CASE WHEN n:Attribute THEN n.id END, validTo: l.validTo, at: l.at} ORDER BY l.validTo, l.at, n.id LIMIT 1 }) AS link, CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END AS ownEnd
WITH t, link, coalesce(link.validTo <= $as_of, false) AS over,
  CASE WHEN link.validTo IS NULL OR ownEnd < link.validTo THEN ownEnd ELSE link.validTo END AS validTo
RETURN t {.id, .content, .kind, status: CASE WHEN over THEN 'superseded' ELSE 'active' END, .entityId, .aspect, .claimKey, .confidence, .importance,
  .pinned, .validFrom, validTo: validTo, .createdAt, retiredAt: CASE WHEN over THEN link.at END, supersededBy: CASE WHEN over THEN link.by END,
  .extractionLevel,
  memoryIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory) WHERE k.createdAt <= $known_at RETURN k.id ORDER BY k.createdAt, k.id },
  messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message) WHERE k.createdAt <= $known_at
    RETURN DISTINCT m.messageId ORDER BY m.messageId }} AS attribute
ORDER BY t.entityId, t.aspect, t.validFrom, t.id
