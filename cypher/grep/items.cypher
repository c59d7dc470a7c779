// purpose: messages and summaries as a search lists them
// params: agent_id STRING, ids LIST<STRING>
// returns: item MAP
// mode: read
// why: times as text, which the driver reads 100 times as fast
UNWIND $ids AS wanted
CALL (wanted) {
  MATCH (m:Message {agent_id: $agent_id, id: wanted})
  RETURN m {.id, .messageId, .sessionId, .role, .ordinal, createdAt: toString(m.createdAt), summaryId: null} AS item
  UNION
  MATCH (y:Summary {agent_id: $agent_id, id: wanted})
  RETURN y {.id, messageId: null, .sessionId, role: null, ordinal: null, createdAt: toString(coalesce(y.latestAt, y.createdAt)), summaryId: y.id} AS item
}
RETURN item
