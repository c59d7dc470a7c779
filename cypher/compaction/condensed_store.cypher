// purpose: put a summary over others of a session that nothing has condensed, if that still holds
// params: agent_id STRING, session_id STRING, id STRING, dag_key STRING, depth INTEGER, child_ids LIST<STRING>, content STRING, tokens INTEGER, source_tokens INTEGER, level STRING, method STRING, by STRING, sha256 STRING, kept LIST<STRING>, hint STRING, fallback STRING, agent_key STRING, grams STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: the SET locks the session: of two compactions one finds the parts condensed and writes nothing
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s
WHERE s.archivedAt IS NULL
CALL (s) {
  UNWIND range(0, size($child_ids) - 1) AS place
  MATCH (y:Summary {agent_id: $agent_id, id: $child_ids[place]})
  WHERE EXISTS { (s)-[:HAS_COMPACTION]->(y) } AND NOT EXISTS { (:Summary {kind: 'condensed'})-[:HAS_CHILD]->(y) }
  WITH y ORDER BY place
  RETURN collect(y) AS parts, min(y.earliestAt) AS earliest, max(y.latestAt) AS latest, sum(y.tokens) AS sum,
    min(y.first) AS first, max(y.through) AS through
}
WITH s, parts, earliest, latest, sum, first, through
WHERE size(parts) = size($child_ids)
CREATE (s)-[:HAS_COMPACTION]->(p:Summary:Unembedded {agent_id: $agent_id, id: $id, dagKey: $dag_key, kind: 'condensed', depth: $depth,
  sessionId: $session_id, status: 'active', createdAt: $now, content: $content, searchText: $content, agentKey: $agent_key, grams: $grams,
  tokens: $tokens, sourceTokens: $source_tokens, level: $level, method: $method, by: $by, sha256: $sha256, kept: $kept, first: first, through: through,
  earliestAt: earliest, latestAt: latest})
SET p.project = s.project, p.updatedAt = $now, p.expandHint = $hint, p.fallback = $fallback
SET s.savedTokens = coalesce(s.savedTokens, 0) + sum - $tokens
FOREACH (place IN range(0, size(parts) - 1) | FOREACH (y IN [parts[place]] |
  CREATE (p)-[:HAS_CHILD {agent_id: $agent_id, ordinal: place, sha256: y.sha256}]->(y)))
RETURN p.id AS id
