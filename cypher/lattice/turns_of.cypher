// purpose: turns by their ids
// params: agent_id STRING, ids LIST<STRING>
// returns: turn MAP
// mode: read
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .novelty, .importance, .paradigmShift, .class,
  .o1, .o2, .o3, .o4, .o5, .o6, .o7} AS turn
