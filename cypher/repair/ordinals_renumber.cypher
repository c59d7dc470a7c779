// purpose: number a session's messages 0, 1, 2 …, in their order, and count them again
// params: agent_id STRING, session_id STRING
// returns: before LIST<INTEGER>
// mode: write
// why: from the first message on, each goes to a number that is free by then: two never have the same one
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s
CALL (s) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= 0
  WITH m ORDER BY m.ordinal
  RETURN collect(m) AS line, sum(m.tokens) AS tokens
}
WITH s, line, tokens, [m IN line | m.ordinal] AS before
SET s.nextOrdinal = size(line), s.messages = size(line), s.tokens = tokens,
  s.extractedThrough = size([ordinal IN before WHERE ordinal < s.extractedThrough]),
  s.compactedThrough = CASE WHEN s.compactedThrough IS NOT NULL THEN size([ordinal IN before WHERE ordinal < s.compactedThrough]) END,
  s.frontier = CASE WHEN s.frontier IS NOT NULL THEN size([ordinal IN before WHERE ordinal < s.frontier]) END
WITH s, line, before
CALL (s, before) {
  MATCH (s)-[:HAS_COMPACTION]->(y:Summary)
  SET y.first = size([ordinal IN before WHERE ordinal < y.first]), y.through = size([ordinal IN before WHERE ordinal < y.through])
  RETURN count(*) AS moved
}
CALL (line) {
  UNWIND range(0, size(line) - 1) AS place
  WITH line[place] AS m, place
  WHERE m.ordinal <> place
  SET m.ordinal = place
  WITH m
  MATCH (m)<-[c:COVERS]-(:Summary)
  SET c.ordinal = m.ordinal
  RETURN count(*) AS renumbered
}
RETURN before
