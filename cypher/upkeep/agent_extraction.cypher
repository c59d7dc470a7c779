// purpose: how an agent's sessions were read: chunks by level, what was dropped, and when rules stood in for a model
// params: agent_id STRING
// returns: level1 INTEGER, level2 INTEGER, level3 INTEGER, dropped INTEGER, fallbacks INTEGER, last MAP
// mode: read
CALL () {
  MATCH (s:Session)
  WHERE s.agent_id = $agent_id AND s.id > ''
  RETURN coalesce(sum(s.chunksLevel1), 0) AS level1, coalesce(sum(s.chunksLevel2), 0) AS level2,
    coalesce(sum(s.chunksLevel3), 0) AS level3, coalesce(sum(s.dropped), 0) AS dropped,
    coalesce(sum(s.fallbacks), 0) AS fallbacks, max(s.lastFallbackAt) AS at
}
CALL (at) {
  OPTIONAL MATCH (s:Session)
  WHERE s.agent_id = $agent_id AND s.id > '' AND s.lastFallbackAt = at
  RETURN min(s.lastFallback) AS reason
}
RETURN level1, level2, level3, dropped, fallbacks,
  CASE WHEN at IS NULL THEN NULL ELSE {at: at, reason: reason} END AS last
