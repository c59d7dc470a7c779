// purpose: sessions whose messages are not numbered as counted, that disagree with their messages on source or project, or that are archived in part
// params: agent_id STRING, limit INTEGER
// returns: id STRING, number INTEGER // [gaps, lineage]
// returns: id STRING, archived BOOLEAN // [archives]
// mode: read
// variants: gaps | lineage | archives
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > ''
CALL (s) { // [gaps]
  OPTIONAL MATCH (m:Message) // [gaps]
  WHERE m.agent_id = $agent_id AND m.sessionId = s.id AND m.ordinal IS NOT NULL // [gaps]
  RETURN count(m) AS held, min(m.ordinal) AS first, max(m.ordinal) AS last // [gaps]
} // [gaps]
WITH s, s.id AS id, held, first, last // [gaps]
WHERE held <> s.nextOrdinal OR held > 0 AND (first <> 0 OR last <> held - 1) // [gaps]
RETURN id, held AS number // [gaps]
// WITH s, COUNT { (s)-[:HAS_MESSAGE]->(m:Message) // [lineage]
//   WHERE m.source IS NULL OR m.source <> s.source OR coalesce(m.project, '') <> coalesce(s.project, '') } AS number, // [lineage]
//   s.source IS NULL OR trim(s.source) = '' AS blank // [lineage]
// WHERE blank OR number > 0 // [lineage]
// RETURN s.id AS id, number // [lineage]
// WITH s, s.archivedAt IS NOT NULL AS archived // [archives]
// WHERE archived AND EXISTS { (s)-[:HAS_MESSAGE|HAS_SUMMARY|HAS_COMPACTION]->(n) WHERE n.archivedAt IS NULL OR n.agentKey IS NOT NULL OR n.embedding IS NOT NULL } // [archives]
//    OR NOT archived AND EXISTS { (s)-[:HAS_MESSAGE|HAS_SUMMARY|HAS_COMPACTION]->(n) WHERE n.archivedAt IS NOT NULL } // [archives]
// RETURN s.id AS id, archived // [archives]
ORDER BY id LIMIT $limit
