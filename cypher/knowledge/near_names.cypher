// purpose: for each query the entities whose names resemble it, best first
// params: agent_id STRING, queries LIST<STRING>, limit INTEGER
// returns: near LIST<MAP>
// mode: read
UNWIND $queries AS query
CALL (query) {
  CALL db.index.fulltext.queryNodes('entity_text', query) YIELD node AS e, score
  WHERE e:Entity AND e.agent_id = $agent_id
  WITH e, score ORDER BY score DESC, e.id
  LIMIT $limit
  RETURN collect(e {.id, .name}) AS near
}
RETURN near
