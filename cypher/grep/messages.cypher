// purpose: messages, newest first behind a place: of all, or of the first that a query leads to the best that pass the filters; without what is said where that is too long
// params: agent_id STRING, query STRING, scan INTEGER, best INTEGER, session_id STRING, role STRING, source STRING, from ZONED DATETIME, before ZONED DATETIME, before_id STRING, chars INTEGER, limit INTEGER
// returns: hits LIST<LIST>
// mode: read
// variants: matching | newest
// why: the index tells the best first, so that a mere LIMIT behind the filters keeps the best that pass them // [matching]
// why: the index forgets what is archived a moment later // [matching]
// why: times are null where nothing is asked of them: of ten thousands each comparison tells // [matching]
// why: one row with times as numbers: the driver takes longer over a thousand rows and times than the search itself // [matching]
// why: the hint, so that no plan made from old statistics sorts all messages // [newest]
// why: walks the index of times backwards, so that it ends with the limit; messages of archived sessions have no agentKey // [newest]
CALL db.index.fulltext.queryNodes('message_grams', $query, {limit: $scan}) YIELD node AS n // [matching]
WHERE n.agent_id = $agent_id AND n.archivedAt IS NULL // [matching]
  AND ($session_id IS NULL OR n.sessionId = $session_id) AND ($role IS NULL OR n.role = $role) // [matching]
  AND ($source IS NULL OR n.source = $source) AND ($from IS NULL OR n.createdAt >= $from) // [matching]
  AND ($before IS NULL OR n.createdAt < $before OR n.createdAt = $before AND n.id < $before_id) // [matching]
WITH n LIMIT $best // [matching]
WITH n ORDER BY n.createdAt DESC, n.id DESC // [matching]
// MATCH (n:Message) // [newest]
// USING INDEX SEEK n:Message(agent_id, createdAt) // [newest]
// WHERE n.agent_id = $agent_id AND n.createdAt >= $from AND n.createdAt <= $before // [newest]
//   AND (n.createdAt < $before OR n.id < $before_id) AND n.agentKey IS NOT NULL // [newest]
// WITH n ORDER BY n.agent_id DESC, n.createdAt DESC, n.id DESC // [newest]
LIMIT $limit
WITH n, n.createdAt AS at, n.searchText AS text, n.toolCalls AS calls, CASE n.contentKind WHEN 'parts' THEN n.content END AS parts
WITH n, at, text, calls, parts, size(text) + coalesce(size(calls), 0) + coalesce(size(parts), 0) AS chars
RETURN collect([n.id, at.epochSeconds * 1000000 + at.microsecond, chars, CASE WHEN chars <= $chars THEN [text, n.name, calls, parts] END]) AS hits
