// purpose: take the mean vectors of some sessions away, whoever's they are
// params: limit INTEGER
// returns: dropped INTEGER
// mode: write
// scope: system
MATCH (s:Session)
WHERE s.meanVector IS NOT NULL
WITH s LIMIT $limit
REMOVE s.meanVector
RETURN count(s) AS dropped
