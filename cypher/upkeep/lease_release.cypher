// purpose: give a lease back, or a chore that was carried out, well or not
// params: name STRING, holder STRING, started ZONED DATETIME, now ZONED DATETIME, error STRING
// returns: nothing
// mode: write
// scope: system
// variants: lease | chore
// why: who asked for it after it began is still to be served // [chore]
MATCH (l:Lease {name: $name})
WHERE l.holder = $holder
// SET l.runs = coalesce(l.runs, 0) + 1, l.lastRun = $now, l.error = $error, // [chore]
//   l.wantedAt = CASE WHEN l.wantedAt > $started THEN l.wantedAt END // [chore]
REMOVE l.holder, l.until
