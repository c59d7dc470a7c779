// purpose: take a chore that nobody holds and nobody did since it was looked at
// params: name STRING, runs INTEGER, holder STRING, now ZONED DATETIME, until ZONED DATETIME
// returns: taken BOOLEAN
// mode: write
// scope: system
// why: the first SET locks the node, so that two takers read it one after the other
MERGE (l:Lease {name: $name})
SET l.lock = true
WITH l, (l.holder IS NULL OR l.until <= $now) AND coalesce(l.runs, 0) = $runs AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END | SET l.holder = $holder, l.until = $until)
RETURN free AS taken
