// purpose: which turns are in which of several sets, each told by its alternatives: sessions by their start, turns in order
// params: agent_id STRING, session_id STRING, sets LIST<LIST<MAP>>, labelled BOOLEAN, compared LIST<BOOLEAN>, limit INTEGER
// returns: members LIST<LIST<ANY>>
// mode: read
// fragments: sessions_asked, turn_compared, described_by
// why: as lattice/turns; in one list, for thousands of rows take longer to send than to find
// why: passages of repositories count as turns of a session before all others, named after the repository; what conversations never said has no novelty
CALL () {
  sessions_asked()
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.analysedAt IS NOT NULL
  RETURN m, s.startedAt AS startedAt, s.id AS within, m.importance AS importance, m.role AS role, m.tags AS tags
  UNION ALL
  MATCH (m:Passage)
  WHERE m.agent_id = $agent_id AND m:Memory AND ($session_id IS NULL OR m.within = $session_id)
  RETURN m, datetime({epochSeconds: 0}) AS startedAt, m.within AS within, m.turnImportance AS importance, 'passage' AS role, [m.file] AS tags
}
WITH turn_compared()
WITH m, startedAt, within, [n IN range(0, size($sets) - 1)
  WHERE described_by($sets[n])] AS sets
WHERE size(sets) > 0
WITH m, startedAt, within, sets
ORDER BY startedAt, within, m.ordinal
LIMIT $limit
RETURN collect([m.id, coalesce(m.messageId, m.file + ':' + m.line), within, sets]) AS members
