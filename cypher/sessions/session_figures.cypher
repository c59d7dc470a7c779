// purpose: all that is counted of a session
// params: agent_id STRING, session_id STRING
// returns: figures MAP
// mode: read
// why: DISTINCT between the steps keeps the walk from starting at all memories
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
CALL (s) {
  OPTIONAL MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  RETURN sum(CASE WHEN m.ordinal >= coalesce(s.frontier, 0) AND m.ordinal >= coalesce(s.compactedThrough, 0) THEN m.tokens ELSE 0 END) AS uncovered,
    count(CASE m.role WHEN 'user' THEN 1 END) AS users, count(CASE m.role WHEN 'assistant' THEN 1 END) AS assistants,
    count(CASE m.role WHEN 'system' THEN 1 END) AS systems, count(CASE m.role WHEN 'tool' THEN 1 END) AS tools,
    count(CASE WHEN m:Unembedded THEN 1 END) AS unembedded, max(m.createdAt) AS lastMessageAt,
    count(m.novelty) AS analysed, avg(m.novelty) AS novelty, avg(m.importance) AS importance,
    count(CASE WHEN m.paradigmShift THEN 1 END) AS shifts, count(CASE m.class WHEN 'compressed' THEN 1 END) AS routine
}
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WITH DISTINCT m
  MATCH (m)-[:HAS_PAYLOAD]->(p:Payload)
  WITH DISTINCT p
  RETURN count(p) AS payloads, sum(p.bytes) AS payloadBytes
}
CALL (s) {
  MATCH (s)-[:HAS_MESSAGE]->(m:Message)
  WITH DISTINCT m
  MATCH (m)<-[:DERIVED_FROM]-(k:Memory|ColdMemory)
  RETURN count(DISTINCT k) AS memories
}
CALL (s) {
  OPTIONAL MATCH (s)-[:HAS_COMPACTION]->(y:Summary)
  WHERE NOT EXISTS { (:Summary {kind: 'condensed'})-[:HAS_CHILD]->(y) }
  RETURN coalesce(sum(y.tokens), 0) AS told
}
CALL (s) {
  OPTIONAL MATCH (s)-[l:STARTS_WITH]->(y:Summary)
  WITH y ORDER BY l.ordinal
  RETURN collect(y.id) AS startsWith, coalesce(sum(y.tokens), 0) AS carried
}
RETURN {frontier: CASE WHEN s.compactedThrough > coalesce(s.frontier, 0) THEN s.compactedThrough ELSE coalesce(s.frontier, 0) END,
  rotatedAt: s.rotatedAt, activeTokens: uncovered + told + carried, startsWith: startsWith, formerIds: coalesce(s.formerIds, []), unread: s.nextOrdinal - s.extractedThrough,
  parked: CASE WHEN s.extractedThrough < s.nextOrdinal THEN head(COLLECT { MATCH (j:Job {agent_id: $agent_id, status: 'failed'})
    WHERE j.kind = 'end_session' AND j.subjectId = s.id RETURN j.error ORDER BY j.finishedAt DESC LIMIT 1 }) END,
  roles: {user: users, assistant: assistants, system: systems, tool: tools}, unembedded: unembedded, lastMessageAt: lastMessageAt,
  analysed: analysed, novelty: novelty, importance: importance, shifts: shifts, routine: routine,
  payloads: payloads, payloadBytes: payloadBytes, memories: memories,
  compactions: COUNT { (s)-[:HAS_COMPACTION]->(:Summary) },
  summaries: COLLECT { MATCH (s)-[:HAS_SUMMARY|HAS_COMPACTION]->(y:Summary) WITH y.depth AS depth, count(y) AS number, sum(y.tokens) AS tokens
    RETURN {depth: depth, number: number, tokens: tokens} ORDER BY depth }} AS figures
