// purpose: what messages and summaries say, however long
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, said LIST<STRING>
// mode: read
UNWIND $ids AS wanted
CALL (wanted) {
  MATCH (m:Message {agent_id: $agent_id, id: wanted})
  RETURN m.id AS id, [m.searchText, m.name, m.toolCalls, CASE m.contentKind WHEN 'parts' THEN m.content END] AS said
  UNION
  MATCH (y:Summary {agent_id: $agent_id, id: wanted})
  RETURN y.id AS id, [y.searchText, null, null, null] AS said
}
RETURN id, said
