// purpose: sessions behind one of them, by id, that another extractor has read, in whole or in part
// params: agent_id STRING, extractor STRING, after STRING, limit INTEGER
// returns: id STRING
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > $after AND s.archivedAt IS NULL AND s.extractedThrough > 0
  AND (s.extractor IS NULL OR s.extractor <> $extractor)
RETURN s.id AS id
ORDER BY s.agent_id, s.id LIMIT $limit
