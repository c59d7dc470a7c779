// purpose: older turns of a line of sessions that bear on a question, the most relevant first
// params: agent_id STRING, newest INTEGER, line LIST<MAP>, vector LIST<FLOAT>, window INTEGER, minimum FLOAT, nearest FLOAT, spare INTEGER, opening INTEGER
// returns: older LIST<MAP>
// mode: read
// why: `relevance` is that of rules.assembly, so that of all candidates only the words of those are read that may be shown
// why: in the order of all that the index has, its entries are read from the last on until there are enough; the shifts have an index of their
// why: own, and no older one is forgotten
CALL () {
  UNWIND range(0, size($line) - 1) AS back
  CALL (back) {
    MATCH (m:Message)
    USING INDEX m:Message(agent_id, sessionId, ordinal)
    WHERE m.agent_id = $agent_id AND m.sessionId = $line[back].id AND m.ordinal < $line[back].before
      AND m.role IN ['user', 'assistant'] AND m.contentChars > 0
    RETURN m ORDER BY m.agent_id DESC, m.sessionId DESC, m.ordinal DESC LIMIT $window
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
WITH m, back, CASE WHEN m.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(m.embedding, $vector) - 1 END AS nearness
WHERE nearness >= $nearest AND (back > 0 OR m.ordinal <> $newest)
WITH m, back, nearness, nearness * (1 + coalesce(m.importance, 5) / 10.0)
  * (1 + (coalesce(m.o1, 0) + coalesce(m.o4, 0) + coalesce(m.o5, 0)) / 30.0) AS relevance
WHERE relevance >= $minimum
WITH m, back, nearness, relevance ORDER BY relevance DESC, m.id LIMIT $spare
RETURN collect(m {.id, .messageId, .sessionId, .ordinal, .role, .name, .importance, .o1, .o4, .o5, back: back, nearness: nearness,
  shift: coalesce(m.paradigmShift, false),
  text: left(CASE m.contentKind WHEN 'text' THEN m.content
    ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), m.contentChars) END, $opening)}) AS older
