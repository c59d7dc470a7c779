// purpose: move the mark of what extraction has read, if nobody else did, and count how it went
// params: agent_id STRING, session_id STRING, expected INTEGER, through INTEGER, level INTEGER, dropped INTEGER, foreign INTEGER, fallback STRING, extractor STRING, now ZONED DATETIME
// returns: moved BOOLEAN
// mode: write
// why: of a session that several extractors have read, none is noted
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s WHERE s.extractedThrough = $expected
SET s.extractedThrough = $through, s.extractor = CASE WHEN $expected = 0 OR s.extractor = $extractor THEN $extractor END, s.dropped = s.dropped + $dropped,
  s.otherLanguages = coalesce(s.otherLanguages, 0) + $foreign,
  s.chunksLevel1 = coalesce(s.chunksLevel1, 0) + CASE $level WHEN 1 THEN 1 ELSE 0 END,
  s.chunksLevel2 = coalesce(s.chunksLevel2, 0) + CASE $level WHEN 2 THEN 1 ELSE 0 END,
  s.chunksLevel3 = coalesce(s.chunksLevel3, 0) + CASE $level WHEN 3 THEN 1 ELSE 0 END
FOREACH (why IN CASE WHEN $fallback IS NULL THEN [] ELSE [$fallback] END |
  SET s.fallbacks = coalesce(s.fallbacks, 0) + 1, s.lastFallback = why, s.lastFallbackAt = $now)
RETURN true AS moved
