// purpose: the sessions of a project, or of none, that were summed up, in the order in which they started
// params: agent_id STRING, project STRING
// returns: sessionId STRING, summaryId STRING, startedAt STRING, hidden BOOLEAN
// mode: read
// why: times as text, which the driver reads 100 times as fast
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > '' AND (s.project = $project OR $project IS NULL AND s.project IS NULL)
MATCH (s)-[:HAS_SUMMARY]->(y:Summary {kind: 'session'})
RETURN s.id AS sessionId, y.id AS summaryId, toString(s.startedAt) AS startedAt, s.archivedAt IS NOT NULL OR y.archivedAt IS NOT NULL AS hidden
ORDER BY s.startedAt, s.id
