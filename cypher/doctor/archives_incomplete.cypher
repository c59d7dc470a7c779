// purpose: sessions of which a part is archived and a part is not
// params: agent_id STRING, limit INTEGER
// returns: id STRING, archived BOOLEAN
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > ''
WITH s, s.archivedAt IS NOT NULL AS archived
WHERE archived AND EXISTS { (s)-[:HAS_MESSAGE|HAS_SUMMARY|HAS_COMPACTION]->(n) WHERE n.archivedAt IS NULL OR n.agentKey IS NOT NULL OR n.embedding IS NOT NULL }
   OR NOT archived AND EXISTS { (s)-[:HAS_MESSAGE|HAS_SUMMARY|HAS_COMPACTION]->(n) WHERE n.archivedAt IS NOT NULL }
RETURN s.id AS id, archived
ORDER BY id LIMIT $limit
