// purpose: an agent's messages, newest first behind a place; what is said is left out where it has more than so many characters
// params: agent_id STRING, from ZONED DATETIME, before ZONED DATETIME, before_id STRING, chars INTEGER, limit INTEGER
// returns: hits LIST<LIST>
// mode: read
// why: the hint, so that no plan made from old statistics sorts all messages
// why: walks the index of times backwards, so that it ends with the limit; messages of archived sessions have no agentKey
MATCH (n:Message)
USING INDEX SEEK n:Message(agent_id, createdAt)
WHERE n.agent_id = $agent_id AND n.createdAt >= $from AND n.createdAt <= $before
  AND (n.createdAt < $before OR n.id < $before_id) AND n.agentKey IS NOT NULL
WITH n ORDER BY n.agent_id DESC, n.createdAt DESC, n.id DESC
LIMIT $limit
WITH n, n.createdAt AS at, n.searchText AS text, n.toolCalls AS calls, CASE n.contentKind WHEN 'parts' THEN n.content END AS parts
WITH n, at, text, calls, parts, size(text) + coalesce(size(calls), 0) + coalesce(size(parts), 0) AS chars
RETURN collect([n.id, at.epochSeconds * 1000000 + at.microsecond, chars, CASE WHEN chars <= $chars THEN [text, n.name, calls, parts] END]) AS hits
