// purpose: the turns that one of these alternatives describes, behind a place: sessions by their start, turns in order
// params: agent_id STRING, session_id STRING, terms LIST<MAP>, labelled BOOLEAN, compared LIST<BOOLEAN>, after ZONED DATETIME, after_id STRING, after_ordinal INTEGER, limit INTEGER
// returns: startedAt STRING, turn MAP
// mode: read
// fragments: turn_row, sessions_asked, turn_compared, described_by
// why: whatever is asked comes as a parameter: one plan, and no text of a client in it
// why: the hint, so that few passages of all agents are not read for those of one
// why: a branch for one session and one for all, so that each begins at an index; scores are read and labels put together only where they are compared, for that is most of the time
// why: passages of repositories count as turns of a session before all others, named after the repository; what conversations never said has no novelty
CALL () {
  sessions_asked() AND s.startedAt >= $after AND (s.startedAt > $after OR s.id >= $after_id)
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.analysedAt IS NOT NULL AND (s.startedAt > $after OR s.id > $after_id OR m.ordinal > $after_ordinal)
  RETURN m, s.startedAt AS startedAt, s.id AS within, m.importance AS importance, m.role AS role, m.tags AS tags
  UNION ALL
  WITH datetime({epochSeconds: 0}) AS startedAt
  MATCH (m:Passage)
  USING INDEX m:Passage(agent_id)
  WHERE m.agent_id = $agent_id AND m:Memory AND ($session_id IS NULL OR m.within = $session_id)
    AND startedAt >= $after AND (startedAt > $after OR m.within > $after_id OR (m.within = $after_id AND m.ordinal > $after_ordinal))
  RETURN m, startedAt, m.within AS within, m.turnImportance AS importance, 'passage' AS role, [m.file] AS tags
}
WITH turn_compared()
WHERE described_by($terms)
WITH m, startedAt, within, importance, role, tags
ORDER BY startedAt, within, m.ordinal
LIMIT $limit
RETURN toString(startedAt) AS startedAt, CASE WHEN m:Message THEN turn_row(m)
  ELSE m {.id, .ordinal, messageId: m.file + ':' + m.line, sessionId: within, role: role, novelty: 0.0, noveltyRaw: 0.0, importance: importance,
    paradigmShift: false, class: 'preserved', tags: tags, analyser: 'repository', createdAt: toString(m.createdAt), analysedAt: toString(m.createdAt),
    scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7]} END AS turn
