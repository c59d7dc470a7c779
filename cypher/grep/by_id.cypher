// purpose: messages and summaries by id: as a search lists them, or what they say, however long
// params: agent_id STRING, ids LIST<STRING>
// returns: item MAP // [items]
// returns: id STRING, said LIST<STRING> // [texts]
// mode: read
// variants: items | texts
// why: times as text, which the driver reads 100 times as fast // [items]
UNWIND $ids AS wanted
CALL (wanted) {
  MATCH (m:Message {agent_id: $agent_id, id: wanted})
  RETURN m {.id, .messageId, .sessionId, .role, .ordinal, createdAt: toString(m.createdAt), summaryId: null} AS item // [items]
//   RETURN m.id AS id, [m.searchText, m.name, m.toolCalls, CASE m.contentKind WHEN 'parts' THEN m.content END] AS said // [texts]
  UNION
  MATCH (y:Summary {agent_id: $agent_id, id: wanted})
  RETURN y {.id, messageId: null, .sessionId, role: null, ordinal: null, createdAt: toString(coalesce(y.latestAt, y.createdAt)), summaryId: y.id} AS item // [items]
//   RETURN y.id AS id, [y.searchText, null, null, null] AS said // [texts]
}
RETURN item // [items]
// RETURN id, said // [texts]
