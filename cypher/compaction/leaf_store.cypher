// purpose: put a leaf over the first messages that none covers, if they still are the first and all there
// params: agent_id STRING, session_id STRING, id STRING, dag_key STRING, first INTEGER, through INTEGER, content STRING, tokens INTEGER, source_tokens INTEGER, level STRING, method STRING, by STRING, sha256 STRING, kept LIST<STRING>, hint STRING, fallback STRING, agent_key STRING, grams STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: the SET locks the session before its mark is read: of two compactions one finds it moved and writes nothing
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s
WHERE coalesce(s.compactedThrough, 0) = $first AND s.nextOrdinal >= $through AND s.archivedAt IS NULL
CALL (s) {
  MATCH (m:Message)
  WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $first AND m.ordinal < $through
  WITH m ORDER BY m.ordinal
  RETURN collect(m) AS covered, min(m.createdAt) AS earliest, max(m.createdAt) AS latest, sum(m.tokens) AS tokens
}
WITH s, covered, earliest, latest, tokens
WHERE size(covered) = $through - $first
CREATE (s)-[:HAS_COMPACTION]->(y:Summary:Unembedded {agent_id: $agent_id, id: $id, dagKey: $dag_key, kind: 'leaf', depth: 0,
  sessionId: $session_id, status: 'active', createdAt: $now, content: $content, searchText: $content, agentKey: $agent_key, grams: $grams,
  tokens: $tokens, sourceTokens: $source_tokens, level: $level, method: $method, by: $by, sha256: $sha256, kept: $kept, first: $first, through: $through,
  earliestAt: earliest, latestAt: latest})
SET y.project = s.project, y.updatedAt = $now, y.expandHint = $hint, y.fallback = $fallback
SET s.compactedThrough = $through, s.savedTokens = coalesce(s.savedTokens, 0) + tokens - $tokens
FOREACH (m IN covered | CREATE (y)-[:COVERS {ordinal: m.ordinal, sha256: m.sha256}]->(m))
RETURN y.id AS id
