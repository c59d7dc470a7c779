// purpose: for each query how many summaries it leads to, counted up to a bound
// params: agent_id STRING, queries LIST<STRING>, scan INTEGER
// returns: hits INTEGER
// mode: read
UNWIND $queries AS query
CALL (query) {
  CALL db.index.fulltext.queryNodes('summary_grams', query, {limit: $scan}) YIELD node AS n
  WHERE n.agent_id = $agent_id
  RETURN count(n) AS hits
}
RETURN hits
