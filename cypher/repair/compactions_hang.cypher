// purpose: hang summaries of compaction on their sessions again, over what they tell, where that is still there
// params: agent_id STRING, limit INTEGER
// returns: id STRING
// mode: write
// why: a session made anew is compacted as far as its leaves go, else they would be made twice
MATCH (y:Summary)
WHERE y.agent_id = $agent_id AND y.kind IN ['leaf', 'condensed']
  AND (NOT EXISTS { (:Session)-[:HAS_COMPACTION]->(y) } OR (y.kind = 'condensed' AND NOT EXISTS { (y)-[:HAS_CHILD]->(:Summary) })
    OR (y.kind = 'leaf' AND COUNT { (y)-[:COVERS]->(:Message) } < y.through - y.first))
MATCH (s:Session {agent_id: $agent_id, id: y.sessionId})
CALL (y) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = y.sessionId AND m.ordinal >= y.first AND m.ordinal < y.through
  RETURN collect(m) AS said
}
CALL (y) {
  MATCH (c:Summary)
  WHERE c.agent_id = $agent_id AND c.sessionId = y.sessionId AND c.kind IN ['leaf', 'condensed'] AND c.depth = y.depth - 1
    AND c.first >= y.first AND c.through <= y.through
  WITH c ORDER BY c.first
  RETURN collect(c) AS parts
}
WITH s, y, said, parts
WHERE size(said) = y.through - y.first AND (y.kind = 'leaf' OR size(parts) > 0)
ORDER BY y.id LIMIT $limit
MERGE (s)-[:HAS_COMPACTION]->(y)
FOREACH (m IN CASE y.kind WHEN 'leaf' THEN said ELSE [] END | MERGE (y)-[c:COVERS]->(m) SET c.ordinal = m.ordinal)
FOREACH (place IN CASE y.kind WHEN 'leaf' THEN [] ELSE range(0, size(parts) - 1) END |
  FOREACH (part IN [parts[place]] | MERGE (y)-[h:HAS_CHILD]->(part) SET h.agent_id = $agent_id, h.ordinal = place))
SET s.compactedThrough = CASE WHEN coalesce(s.compactedThrough, 0) < y.through THEN y.through ELSE s.compactedThrough END
WITH s, collect(y.id) AS ids
CALL (s) {
  OPTIONAL MATCH (s)-[:HAS_COMPACTION]->(t:Summary)
  WHERE NOT EXISTS { (:Summary {kind: 'condensed'})-[:HAS_CHILD]->(t) }
  RETURN sum(t.tokens) AS told
}
CALL (s) {
  OPTIONAL MATCH (s)-[:STARTS_WITH]->(t:Summary)
  RETURN sum(t.tokens) AS carried
}
CALL (s) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = s.id AND m.ordinal < s.compactedThrough
  RETURN sum(m.tokens) AS covered
}
SET s.savedTokens = covered - told - carried
WITH ids
UNWIND ids AS id
RETURN id
