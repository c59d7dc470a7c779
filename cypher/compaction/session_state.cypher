// purpose: a session as compaction finds it: how far it is compacted, and how far it was when its recap was kept, the summaries that nothing condensed yet, and its messages around the start of the fresh tail
// params: agent_id STRING, session_id STRING, fresh_tail INTEGER
// returns: state MAP, tops LIST<MAP>, edge LIST<MAP>
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN s {.id, .source, .project, .contextWindow, .nextOrdinal, .archivedAt, compactedThrough: coalesce(s.compactedThrough, 0),
  tokens: s.tokens - coalesce(s.savedTokens, 0), recappedThrough: coalesce(COLLECT {
    MATCH (s)-[:HAS_SUMMARY]->(y:Summary {kind: 'recap'}) RETURN y.compactedThrough ORDER BY y.createdAt DESC LIMIT 1 }[0], 0)} AS state,
  COLLECT { MATCH (s)-[:HAS_COMPACTION]->(y:Summary)
    WHERE NOT EXISTS { (:Summary {kind: 'condensed'})-[:HAS_CHILD]->(y) }
    RETURN y {.id, .depth, .content, .tokens, .first, .through, .kept} ORDER BY y.first } AS tops,
  COLLECT { MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= s.nextOrdinal - 2 * $fresh_tail AND m.ordinal <= s.nextOrdinal - $fresh_tail
    RETURN m {.ordinal, .role} ORDER BY m.ordinal } AS edge
