// purpose: mark sessions that hold messages nobody analysed, and bear no mark yet: those of older stores and backups
// params: limit INTEGER
// returns: marked INTEGER
// mode: write
// scope: system
MATCH (s:Session)
WHERE NOT s:Unanalysed AND s.archivedAt IS NULL AND s.nextOrdinal > coalesce(s.analysedThrough, 0)
WITH s LIMIT $limit
SET s:Unanalysed
RETURN count(s) AS marked
