// purpose: the messages of a session behind an ordinal, in order, as a recap is made of them
// params: agent_id STRING, session_id STRING, after INTEGER, limit INTEGER, chars INTEGER, calls_chars INTEGER
// returns: turns LIST<LIST<ANY>>
// mode: read
// why: of a long tool result beginning and end, where verdicts stand; the words of parts stand in searchText, behind the name; in one list, for thousands of rows take longer to send than to find
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal > $after
WITH m ORDER BY m.ordinal
LIMIT $limit
RETURN collect([m.id, m.messageId, m.ordinal, m.role, m.tokens,
  CASE WHEN m.contentKind = 'text' AND m.role = 'tool' AND size(m.content) > $chars
      THEN left(m.content, $chars / 4) + '\n' + right(m.content, $chars * 3 / 4 - 1)
    WHEN m.contentKind = 'text' THEN substring(m.content, 0, $chars) WHEN m.contentKind = 'parts'
    THEN substring(substring(m.searchText, size(coalesce(m.name + ': ', ''))), 0, $chars) END,
  substring(m.toolCalls, 0, $calls_chars), m.importance, coalesce(m.paradigmShift, false),
  CASE WHEN m.analysedAt IS NOT NULL THEN [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7] END, m.name, toString(m.createdAt)]) AS turns
