// purpose: put a session's recap into the DAG, or renew it: it covers what it cites
// params: agent_id STRING, session_id STRING, dag_key STRING, id STRING, content STRING, tokens INTEGER, sha256 STRING, by STRING, search_text STRING, agent_key STRING, grams STRING, message_ids LIST<STRING>, told_through INTEGER, now ZONED DATETIME
// returns: id STRING, created BOOLEAN
// mode: write
// why: the recap of an archived session is in no search, as the session's other summaries
// why: compactedThrough is the compaction that the recap tells of: one that ended before it had its recap is found by that
// why: what a replay begins with counts in it, so that sessions that start with a renewed recap count it anew
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
MERGE (y:Summary {agent_id: $agent_id, dagKey: $dag_key})
ON CREATE SET y.id = $id, y.kind = 'recap', y.depth = 0, y.createdAt = $now, y.status = 'active'
WITH s, y, $tokens - coalesce(y.tokens, 0) AS longer
SET y.sessionId = $session_id, y.project = s.project, y.content = $content, y.tokens = $tokens, y.sha256 = $sha256, y.by = $by, y.searchText = $search_text,
  y.archivedAt = s.archivedAt, y.agentKey = CASE WHEN s.archivedAt IS NULL THEN $agent_key END, y.grams = $grams, y.updatedAt = $now, y.method = 'extractive',
  y.compactedThrough = CASE WHEN s.compactedThrough > $told_through THEN $told_through ELSE coalesce(s.compactedThrough, 0) END
MERGE (s)-[:HAS_SUMMARY]->(y)
FOREACH (_ IN CASE WHEN s.archivedAt IS NULL THEN [1] ELSE [] END | SET y:Unembedded)
WITH y, longer
CALL (y, longer) {
  MATCH (later:Session)-[:STARTS_WITH]->(y)
  SET later.savedTokens = coalesce(later.savedTokens, 0) - longer
}
CALL (y) {
  MATCH (y)-[old:COVERS]->(:Message)
  DELETE old
}
CALL (y) {
  UNWIND $message_ids AS messageId
  MATCH (m:Message {agent_id: $agent_id, id: messageId})
  MERGE (y)-[c:COVERS]->(m)
  SET c.ordinal = m.ordinal, c.sha256 = m.sha256
  WITH y, min(m.createdAt) AS earliest, max(m.createdAt) AS latest
  SET y.earliestAt = earliest, y.latestAt = latest
}
RETURN y.id AS id, y.id = $id AS created
