// purpose: turns by their ids
// params: agent_id STRING, ids LIST<STRING>
// returns: turn MAP
// mode: read
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .novelty, .noveltyRaw, .importance, .paradigmShift,
  .class, .tags, .analyser, createdAt: toString(m.createdAt), analysedAt: toString(m.analysedAt),
  scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7]} AS turn
