// purpose: the words of a session's last messages, and of the newest of a user
// params: agent_id STRING, session_id STRING, start INTEGER, through INTEGER, newest INTEGER, chars INTEGER, result_head INTEGER, result_tail INTEGER
// returns: tail LIST<MAP>
// mode: read
// why: what a tool did, such as a test run, is told at the end of its result
CALL () {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $start AND m.ordinal < $through
  RETURN m
  UNION
  MATCH (m:Message {agent_id: $agent_id, sessionId: $session_id, ordinal: $newest})
  RETURN m
}
WITH m ORDER BY m.ordinal
RETURN collect(m {.id, .messageId, .sessionId, .ordinal, .role, .name, .toolCalls, .toolCallId,
  parts: CASE m.contentKind WHEN 'parts' THEN m.content END,
  text: CASE m.contentKind WHEN 'text' THEN CASE
    WHEN m.role <> 'tool' OR m.contentChars <= $chars THEN left(m.content, $chars)
    WHEN m.contentChars <= $result_head + $result_tail THEN m.content
    ELSE left(m.content, $result_head) + '\n' + right(m.content, $result_tail) END
    WHEN 'null' THEN ''
    ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), CASE WHEN m.contentChars < $chars THEN m.contentChars ELSE $chars END) END}) AS tail
