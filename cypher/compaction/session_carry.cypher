// purpose: have a session that goes on from another begin with what that was told in: its last recap, and its summaries of some depth on that nothing condensed
// params: agent_id STRING, session_id STRING, continues STRING, retain_depth INTEGER, most INTEGER
// returns: carried INTEGER
// mode: write
// why: the summaries stay those of the older session; one that began with summaries itself hands them on
// why: what a replay begins with counts in it: savedTokens begins below zero
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
OPTIONAL MATCH (o:Session {agent_id: $agent_id, id: $continues})
WHERE o <> s
SET s.formerIds = (coalesce(o.formerIds, []) + $continues)[-$most..]
WITH s, o
CALL (o) {
  WITH o WHERE o IS NOT NULL
  RETURN COLLECT { MATCH (o)-[l:STARTS_WITH]->(y:Summary) WHERE y.kind <> 'recap' AND y.archivedAt IS NULL
      AND $retain_depth <> 0 AND y.depth >= $retain_depth RETURN y ORDER BY l.ordinal }
    + COLLECT { MATCH (o)-[:HAS_COMPACTION]->(y:Summary) WHERE y.archivedAt IS NULL AND $retain_depth <> 0 AND y.depth >= $retain_depth
      AND NOT EXISTS { (:Summary {kind: 'condensed'})-[:HAS_CHILD]->(y) } RETURN y ORDER BY y.first }
    + COLLECT { MATCH (o)-->(y:Summary {kind: 'recap'}) WHERE y.archivedAt IS NULL RETURN y ORDER BY y.createdAt DESC LIMIT 1 } AS told
}
FOREACH (place IN range(0, size(told) - 1) | FOREACH (y IN [told[place]] | CREATE (s)-[:STARTS_WITH {agent_id: $agent_id, ordinal: place}]->(y)))
SET s.savedTokens = -reduce(sum = 0, y IN told | sum + y.tokens)
RETURN size(told) AS carried
