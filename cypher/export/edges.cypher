// purpose: what entities needed on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING>, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: dependency MAP
// mode: read
// why: an edge that was retired and came back tells in its three lists when it was believed to have ended, and when it did
UNWIND $ids AS id
MATCH (e:Entity {agent_id: $agent_id, id: id})-[d:DEPENDS_ON]->(o:Entity)
WHERE d.createdAt <= $known_at AND d.validFrom <= $as_of
  AND (d.status IN ['active', 'superseded'] OR $known_at < coalesce(d.deletedAt, d.retiredAt))
  AND NOT coalesce((d.status = 'active' OR d.retiredAt <= $known_at) AND d.validTo <= $as_of, false)
  AND NOT any(i IN range(0, size(coalesce(d.retiredFrom, [])) - 1)
    WHERE d.retiredFrom[i] <= $known_at AND $known_at < d.retiredUntil[i] AND d.retiredEnd[i] <= $as_of)
WITH e AS a, o AS b, d, o
ORDER BY a.id, d.id
RETURN {id: d.id, source: {id: a.id, name: a.name}, target: {id: b.id, name: b.name}, type: d.type, confidence: d.confidence,
  strength: d.strength, reason: d.reason, validFrom: d.validFrom, validTo: CASE WHEN d.retiredAt <= $known_at THEN d.validTo END,
  extractionLevel: coalesce(d.extractionLevel, 1),
  messageIds: COLLECT { UNWIND d.memoryIds AS memoryId
    MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    WHERE k.createdAt <= $known_at
    RETURN DISTINCT m.messageId ORDER BY m.messageId }} AS dependency
