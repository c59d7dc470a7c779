// purpose: the sessions of a project, or of none, that were summed up, in the order in which they started, or the projects of all, null for none
// params: agent_id STRING, project STRING
// returns: sessionId STRING, summaryId STRING, startedAt STRING, hidden BOOLEAN // [project]
// returns: project STRING // [projects]
// mode: read
// variants: project | projects
// why: times as text, which the driver reads 100 times as fast // [project]
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > '' AND (s.project = $project OR $project IS NULL AND s.project IS NULL) // [project]
MATCH (s)-[:HAS_SUMMARY]->(y:Summary {kind: 'session'}) // [project]
RETURN s.id AS sessionId, y.id AS summaryId, toString(s.startedAt) AS startedAt, s.archivedAt IS NOT NULL OR y.archivedAt IS NOT NULL AS hidden // [project]
ORDER BY s.startedAt, s.id // [project]
// WHERE s.agent_id = $agent_id AND s.id > '' AND EXISTS { (s)-[:HAS_SUMMARY]->(:Summary {kind: 'session'}) } // [projects]
// RETURN DISTINCT s.project AS project // [projects]
// ORDER BY project // [projects]
