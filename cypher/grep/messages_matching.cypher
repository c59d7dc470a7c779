// purpose: of the first messages that a query leads to those that pass the filters, the best of these, newest first behind a place; what is said is left out where it has more than so many characters
// params: agent_id STRING, query STRING, scan INTEGER, best INTEGER, session_id STRING, role STRING, source STRING, from ZONED DATETIME, before ZONED DATETIME, before_id STRING, chars INTEGER, limit INTEGER
// returns: hits LIST<LIST>
// mode: read
// why: the index tells the best first, so that a mere LIMIT behind the filters keeps the best that pass them
// why: the index forgets what is archived a moment later
// why: times are null where nothing is asked of them: of ten thousands each comparison tells
// why: one row with times as numbers: the driver takes longer over a thousand rows and times than the search itself
CALL db.index.fulltext.queryNodes('message_grams', $query, {limit: $scan}) YIELD node AS n
WHERE n.agent_id = $agent_id AND n.archivedAt IS NULL
  AND ($session_id IS NULL OR n.sessionId = $session_id) AND ($role IS NULL OR n.role = $role)
  AND ($source IS NULL OR n.source = $source) AND ($from IS NULL OR n.createdAt >= $from)
  AND ($before IS NULL OR n.createdAt < $before OR n.createdAt = $before AND n.id < $before_id)
WITH n LIMIT $best
WITH n ORDER BY n.createdAt DESC, n.id DESC
LIMIT $limit
WITH n, n.createdAt AS at, n.searchText AS text, n.toolCalls AS calls, CASE n.contentKind WHEN 'parts' THEN n.content END AS parts
WITH n, at, text, calls, parts, size(text) + coalesce(size(calls), 0) + coalesce(size(parts), 0) AS chars
RETURN collect([n.id, at.epochSeconds * 1000000 + at.microsecond, chars, CASE WHEN chars <= $chars THEN [text, n.name, calls, parts] END]) AS hits
