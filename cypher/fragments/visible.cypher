// What an agent sees of what it holds: what the filters of a search leave, and what is looked at as turns.
// fragment: within(text)
($project IS NULL OR text.project = $project) AND ($session_id IS NULL OR text.sessionId = $session_id)
// fragment: message_visible(message)
within(message) AND ($beside IS NULL OR message.sessionId <> $beside)
  AND ($role IS NULL OR message.role = $role) AND ($source IS NULL OR message.source = $source)
  AND ($from IS NULL OR message.createdAt >= $from) AND ($to IS NULL OR message.createdAt < $to) AND ($known_at IS NULL OR message.ingestedAt <= $known_at)
// fragment: memory_visible(memory)
within(memory)
  AND ($superseded OR memory.status IN ['active', 'superseded']) AND holds_now(memory)
// fragment: fact_visible(fact)
within(fact)
  AND (stands_now(fact)
       OR ($superseded AND fact.status = 'superseded'))
// fragment: summary_visible(summary)
within(summary)
  AND ($as_of IS NULL OR summary.latestAt <= $as_of) AND ($known_at IS NULL OR coalesce(summary.updatedAt, summary.createdAt) <= $known_at)
// Sessions not put away: one, or all of the agent. A branch for each, so that each begins at an index.
// fragment: sessions_asked()
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
// Behind WITH: a turn with its scores and labels, as far as they are compared.
// fragment: turn_compared()
m, startedAt, within, importance, role, tags, [CASE WHEN $compared[0] THEN m.o1 END, CASE WHEN $compared[1] THEN m.o2 END, CASE WHEN $compared[2] THEN m.o3 END, CASE WHEN $compared[3] THEN m.o4 END,
    CASE WHEN $compared[4] THEN m.o5 END, CASE WHEN $compared[5] THEN m.o6 END, CASE WHEN $compared[6] THEN m.o7 END,
    CASE WHEN $compared[7] THEN importance END, CASE WHEN $compared[8] THEN coalesce(m.novelty, 0.0) END] AS scores,
  CASE WHEN $labelled THEN ['role:' + role, 'session_id:' + within] + [tag IN tags | 'tag:' + tag]
    + CASE WHEN m.paradigmShift THEN ['shift'] ELSE [] END END AS labels
// fragment: described_by(terms)
any(term IN terms WHERE all(bound IN term.bounds WHERE bound[1] <= scores[bound[0]] <= bound[2])
    AND all(group IN term.anyOf WHERE any(label IN group WHERE label IN labels))
    AND none(label IN term.noneOf WHERE label IN labels))
// Behind a search in an index: of each kind of text those of the agent, in one project or session, or all. The agent is filtered inside the index.
// fragment: near_agent(index, scan)
MATCH (n)
  SEARCH n IN (VECTOR INDEX index FOR $vector WHERE n.agent_id = $agent_id LIMIT scan) SCORE AS score
  WITH n, score WHERE n.agent_id = $agent_id
// fragment: near_project(index, scan)
MATCH (n)
  SEARCH n IN (VECTOR INDEX index FOR $vector WHERE n.agent_id = $agent_id AND n.project = $project LIMIT scan) SCORE AS score
  WITH n, score WHERE n.agent_id = $agent_id
// fragment: near_session(index, scan)
MATCH (n)
  SEARCH n IN (VECTOR INDEX index FOR $vector WHERE n.agent_id = $agent_id AND n.sessionId = $session_id LIMIT scan) SCORE AS score
  WITH n, score WHERE n.agent_id = $agent_id
// fragment: matching(index, scan)
CALL db.index.fulltext.queryNodes(index, $query, {limit: scan}) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
// fragment: without_vector(label)
MATCH (n:label)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded AND n.erasedAt IS NULL
// fragment: embedded_anew(label)
MATCH (n:label)
  WHERE n.agent_id = $agent_id AND n.id > $after AND (n:Unembedded OR NOT $waiting)
// fragment: texts_of_index(index, label)
CALL db.index.fulltext.queryNodes(index, $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN index AS name, found, COUNT { MATCH (m:label) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
