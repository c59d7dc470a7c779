// purpose: which turns are in which of several sets, each told by its alternatives: sessions by their start, turns in order
// params: agent_id STRING, session_id STRING, sets LIST<LIST<MAP>>, labelled BOOLEAN, compared LIST<BOOLEAN>, limit INTEGER
// returns: members LIST<LIST<ANY>>
// mode: read
// why: as lattice/turns; in one list, for thousands of rows take longer to send than to find
CALL () {
  UNWIND CASE WHEN $session_id IS NULL THEN [1] ELSE [] END AS all
  MATCH (s:Session)
  WHERE s.agent_id = $agent_id
  RETURN s
  UNION ALL
  MATCH (s:Session {agent_id: $agent_id, id: $session_id})
  RETURN s
}
WITH s
WHERE s.archivedAt IS NULL
MATCH (s)-[:HAS_MESSAGE]->(m:Message)
WHERE m.analysedAt IS NOT NULL
WITH s, m, [CASE WHEN $compared[0] THEN m.o1 END, CASE WHEN $compared[1] THEN m.o2 END, CASE WHEN $compared[2] THEN m.o3 END, CASE WHEN $compared[3] THEN m.o4 END,
    CASE WHEN $compared[4] THEN m.o5 END, CASE WHEN $compared[5] THEN m.o6 END, CASE WHEN $compared[6] THEN m.o7 END,
    CASE WHEN $compared[7] THEN m.importance END, CASE WHEN $compared[8] THEN m.novelty END] AS scores,
  CASE WHEN $labelled THEN ['role:' + m.role, 'session_id:' + m.sessionId] + [tag IN m.tags | 'tag:' + tag]
    + CASE WHEN m.paradigmShift THEN ['shift'] ELSE [] END END AS labels
WITH s, m, [n IN range(0, size($sets) - 1)
  WHERE any(term IN $sets[n] WHERE all(bound IN term.bounds WHERE bound[1] <= scores[bound[0]] <= bound[2])
    AND all(group IN term.anyOf WHERE any(label IN group WHERE label IN labels))
    AND none(label IN term.noneOf WHERE label IN labels))] AS sets
WHERE size(sets) > 0
WITH s, m, sets
ORDER BY s.startedAt, s.id, m.ordinal
LIMIT $limit
RETURN collect([m.id, m.messageId, m.sessionId, sets]) AS members
