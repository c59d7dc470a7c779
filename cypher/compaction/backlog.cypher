// purpose: messages of [from, to), in order, as compaction reads them: of a long one its beginning and its end
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER, head INTEGER, tail INTEGER, result_head INTEGER, result_tail INTEGER, limit INTEGER
// returns: message MAP
// mode: read
// why: the words of parts stand in searchText, behind the name
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
WITH m ORDER BY m.ordinal LIMIT $limit
WITH m, CASE m.contentKind WHEN 'text' THEN m.content WHEN 'null' THEN ''
  ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), m.contentChars) END AS text,
  CASE m.role WHEN 'tool' THEN $result_head ELSE $head END AS first_chars, CASE m.role WHEN 'tool' THEN $result_tail ELSE $tail END AS last_chars
RETURN m {.ordinal, .role, .name, .tokens, .toolCalls, .importance, createdAt: toString(m.createdAt), shift: coalesce(m.paradigmShift, false),
  text: CASE WHEN size(text) <= first_chars + last_chars THEN text ELSE left(text, first_chars) + '\n' + right(text, last_chars) END} AS message
ORDER BY message.ordinal
