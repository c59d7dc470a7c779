// purpose: a chore was carried out, well or not, and is free again
// params: name STRING, holder STRING, started ZONED DATETIME, now ZONED DATETIME, error STRING
// returns: nothing
// mode: write
// scope: system
// why: who asked for it after it began is still to be served
MATCH (l:Lease {name: $name})
WHERE l.holder = $holder
SET l.runs = coalesce(l.runs, 0) + 1, l.lastRun = $now, l.error = $error,
  l.wantedAt = CASE WHEN l.wantedAt > $started THEN l.wantedAt END
REMOVE l.holder, l.until
