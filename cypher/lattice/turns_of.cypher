// purpose: turns by their ids, and passages as turns
// params: agent_id STRING, ids LIST<STRING>
// returns: turn MAP
// mode: read
// fragments: turn_row
UNWIND $ids AS id
CALL (id) {
  MATCH (m:Message {agent_id: $agent_id, id: id})
  RETURN turn_row(m) AS turn
  UNION ALL
  MATCH (m:Memory {agent_id: $agent_id, id: id})
  WHERE m:Passage
  RETURN m {.id, .ordinal, messageId: m.file + ':' + m.line, sessionId: m.within, role: 'passage', novelty: 0.0, noveltyRaw: 0.0,
    importance: m.turnImportance, paradigmShift: false, class: 'preserved', tags: [m.file], analyser: 'repository',
    createdAt: toString(m.createdAt), analysedAt: toString(m.createdAt), scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7]} AS turn
}
RETURN turn
