// purpose: of the first summaries that a query leads to those that pass the filters, the best of these, newest first behind a place; what is said is left out where it has more than so many characters
// params: agent_id STRING, query STRING, scan INTEGER, best INTEGER, session_id STRING, source STRING, before ZONED DATETIME, before_id STRING, chars INTEGER, limit INTEGER
// returns: hits LIST<LIST>
// mode: read
// why: the index tells the best first, so that a mere LIMIT behind the filters keeps the best that pass them
// why: a summary is as new as the newest message it covers, and of any source of the messages beneath it
CALL db.index.fulltext.queryNodes('summary_grams', $query, {limit: $scan}) YIELD node AS n
WHERE n.agent_id = $agent_id AND ($session_id IS NULL OR n.sessionId = $session_id)
WITH n, coalesce(n.latestAt, n.createdAt) AS at
WHERE (at < $before OR at = $before AND n.id < $before_id)
  AND ($source IS NULL OR EXISTS { MATCH (n)-[:HAS_CHILD|COVERS]->+(m:Message) WHERE m.source = $source })
WITH n, at LIMIT $best
WITH n, at ORDER BY at DESC, n.id DESC
LIMIT $limit
WITH n, at, size(n.searchText) AS chars
RETURN collect([n.id, at.epochSeconds * 1000000 + at.microsecond, chars, CASE WHEN chars <= $chars THEN [n.searchText, null, null, null] END]) AS hits
