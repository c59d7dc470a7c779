// purpose: the words of a session's last messages, and those of older turns that bear on a question
// params: agent_id STRING, session_id STRING, start INTEGER, through INTEGER, newest INTEGER, chars INTEGER, line LIST<MAP>, vector LIST<FLOAT>, window INTEGER, minimum FLOAT, nearest FLOAT, spare INTEGER, opening INTEGER
// returns: tail LIST<MAP>, older LIST<MAP>
// mode: read
// why: one round trip for both
// why: `relevance` is that of rules.assembly, so that of all candidates only the words of those are read that may be shown
// why: turns are looked for from an ordinal on, so that no whole session is sorted; the shifts have an index, and no older one is forgotten
RETURN COLLECT {
    CALL () {
      MATCH (m:Message)
      WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $start AND m.ordinal < $through
      RETURN m
      UNION
      MATCH (m:Message {agent_id: $agent_id, sessionId: $session_id, ordinal: $newest})
      RETURN m
    }
    RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .name, .toolCalls, .toolCallId,
      parts: CASE m.contentKind WHEN 'parts' THEN m.content END,
      text: CASE m.contentKind WHEN 'text' THEN left(m.content, $chars) WHEN 'null' THEN ''
        ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), CASE WHEN m.contentChars < $chars THEN m.contentChars ELSE $chars END) END}
    ORDER BY m.ordinal
  } AS tail,
  COLLECT {
    CALL () {
      UNWIND range(0, size($line) - 1) AS back
      CALL (back) {
        MATCH (m:Message)
        WHERE m.agent_id = $agent_id AND m.sessionId = $line[back].id AND m.ordinal < $line[back].before
          AND m.ordinal >= $line[back].from AND m.role IN ['user', 'assistant'] AND m.contentChars > 0
        RETURN m ORDER BY m.ordinal DESC LIMIT $window
      }
      WITH m, back ORDER BY back, m.ordinal DESC LIMIT $window
      RETURN m, back
      UNION
      UNWIND range(0, size($line) - 1) AS back
      MATCH (m:Message)
      USING INDEX m:Message(agent_id, sessionId, paradigmShift)
      WHERE m.agent_id = $agent_id AND m.sessionId = $line[back].id AND m.paradigmShift = true AND m.ordinal < $line[back].before
        AND m.role IN ['user', 'assistant'] AND m.contentChars > 0
      RETURN m, back
    }
    WITH m, back, CASE WHEN $vector IS NOT NULL AND m.embedding IS NOT NULL
        THEN 2 * vector.similarity.cosine(m.embedding, $vector) - 1 END AS nearness
    WHERE nearness IS NOT NULL AND nearness >= $nearest AND (back > 0 OR m.ordinal <> $newest)
    WITH m, back, nearness, nearness * (1 + coalesce(m.importance, 5) / 10.0)
      * (1 + (coalesce(m.o1, 0) + coalesce(m.o4, 0) + coalesce(m.o5, 0)) / 30.0) AS relevance
    WHERE relevance >= $minimum
    ORDER BY relevance DESC, m.id LIMIT $spare
    RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .name, .importance, .o1, .o4, .o5, back: back, nearness: nearness,
      shift: coalesce(m.paradigmShift, false),
      text: left(CASE m.contentKind WHEN 'text' THEN m.content
        ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), m.contentChars) END, $opening)}
    ORDER BY relevance DESC, m.id
  } AS older
