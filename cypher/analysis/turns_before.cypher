// purpose: a stretch of a session's analysed messages, in order, as later ones are held against them
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER, text_from INTEGER, chars INTEGER, calls INTEGER, limit INTEGER
// returns: turn MAP
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
WITH m ORDER BY m.ordinal
LIMIT $limit
WITH m, substring(m.searchText, size(coalesce(m.name + ': ', '')), $chars) AS text
RETURN {id: m.id, messageId: m.messageId, ordinal: m.ordinal, importance: m.importance,
  scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7], vector: CASE WHEN trim(text) <> '' THEN m.embedding END,
  role: m.role, text: CASE WHEN m.ordinal >= $text_from THEN text END,
  calls: CASE WHEN m.ordinal >= $text_from THEN substring(m.toolCalls, 0, $calls) END} AS turn
ORDER BY turn.ordinal
