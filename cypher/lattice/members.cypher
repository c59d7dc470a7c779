// purpose: which turns are in which of several sets, each told by its alternatives: sessions by their start, turns in order
// params: agent_id STRING, session_id STRING, sets LIST<LIST<MAP>>, labelled BOOLEAN, compared LIST<BOOLEAN>, limit INTEGER
// returns: members LIST<LIST<ANY>>
// mode: read
// why: as lattice/turns; in one list, for thousands of rows take longer to send than to find
// why: passages of repositories count as turns of a session before all others, named after the repository; what conversations never said has no novelty
CALL () {
  CALL () {
    UNWIND CASE WHEN $session_id IS NULL THEN [1] ELSE [] END AS all
    MATCH (s:Session)
    WHERE s.agent_id = $agent_id AND s.id > ''
    RETURN s
    UNION ALL
    MATCH (s:Session {agent_id: $agent_id, id: $session_id})
    RETURN s
  }
  WITH s
  WHERE s.archivedAt IS NULL
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.analysedAt IS NOT NULL
  RETURN m, s.startedAt AS startedAt, s.id AS within, m.importance AS importance, m.role AS role, m.tags AS tags
  UNION ALL
  MATCH (m:Passage)
  WHERE m.agent_id = $agent_id AND m:Memory AND ($session_id IS NULL OR m.within = $session_id)
  RETURN m, datetime({epochSeconds: 0}) AS startedAt, m.within AS within, m.turnImportance AS importance, 'passage' AS role, [m.file] AS tags
}
WITH m, startedAt, within, importance, role, tags, [CASE WHEN $compared[0] THEN m.o1 END, CASE WHEN $compared[1] THEN m.o2 END, CASE WHEN $compared[2] THEN m.o3 END, CASE WHEN $compared[3] THEN m.o4 END,
    CASE WHEN $compared[4] THEN m.o5 END, CASE WHEN $compared[5] THEN m.o6 END, CASE WHEN $compared[6] THEN m.o7 END,
    CASE WHEN $compared[7] THEN importance END, CASE WHEN $compared[8] THEN coalesce(m.novelty, 0.0) END] AS scores,
  CASE WHEN $labelled THEN ['role:' + role, 'session_id:' + within] + [tag IN tags | 'tag:' + tag]
    + CASE WHEN m.paradigmShift THEN ['shift'] ELSE [] END END AS labels
WITH m, startedAt, within, [n IN range(0, size($sets) - 1)
  WHERE any(term IN $sets[n] WHERE all(bound IN term.bounds WHERE bound[1] <= scores[bound[0]] <= bound[2])
    AND all(group IN term.anyOf WHERE any(label IN group WHERE label IN labels))
    AND none(label IN term.noneOf WHERE label IN labels))] AS sets
WHERE size(sets) > 0
WITH m, startedAt, within, sets
ORDER BY startedAt, within, m.ordinal
LIMIT $limit
RETURN collect([m.id, coalesce(m.messageId, m.file + ':' + m.line), within, sets]) AS members
