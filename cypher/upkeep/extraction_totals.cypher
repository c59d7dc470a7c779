// purpose: how the sessions of all agents were read: chunks by level, what was dropped, and how often rules stood in for a model
// params: none
// returns: level1 INTEGER, level2 INTEGER, level3 INTEGER, dropped INTEGER, fallbacks INTEGER
// mode: read
// scope: system
MATCH (s:Session)
RETURN coalesce(sum(s.chunksLevel1), 0) AS level1, coalesce(sum(s.chunksLevel2), 0) AS level2,
  coalesce(sum(s.chunksLevel3), 0) AS level3, coalesce(sum(s.dropped), 0) AS dropped,
  coalesce(sum(s.fallbacks), 0) AS fallbacks
