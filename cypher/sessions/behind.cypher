// purpose: sessions behind one of them, by id: as an operator lists them, those another extractor has read
// params: agent_id STRING, after STRING, limit INTEGER, extractor STRING
// returns: session MAP // [lines]
// returns: id STRING // [stale]
// mode: read
// variants: lines | stale
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > $after // [lines]
RETURN s {.id, .project, .source, .messages, .nextOrdinal, .startedAt, .endedAt, .archivedAt} AS session // [lines]
// WHERE s.agent_id = $agent_id AND s.id > $after AND s.archivedAt IS NULL AND s.extractedThrough > 0 // [stale]
//   AND (s.extractor IS NULL OR s.extractor <> $extractor) // [stale]
// RETURN s.id AS id // [stale]
ORDER BY s.agent_id, s.id LIMIT $limit
