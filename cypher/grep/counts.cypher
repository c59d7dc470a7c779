// purpose: for each query how many messages, or summaries, it leads to, counted up to a bound
// params: agent_id STRING, queries LIST<STRING>, scan INTEGER
// returns: hits INTEGER
// mode: read
// variants: messages | summaries
UNWIND $queries AS query
CALL (query) {
  CALL db.index.fulltext.queryNodes('message_grams', query, {limit: $scan}) YIELD node AS n // [messages]
//   CALL db.index.fulltext.queryNodes('summary_grams', query, {limit: $scan}) YIELD node AS n // [summaries]
  WHERE n.agent_id = $agent_id
  RETURN count(n) AS hits
}
RETURN hits
