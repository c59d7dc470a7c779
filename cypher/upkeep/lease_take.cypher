// purpose: take a lease that is free, over or already ours, or a chore that nobody did since it was looked at
// params: name STRING, holder STRING, now ZONED DATETIME, until ZONED DATETIME, runs INTEGER
// returns: taken BOOLEAN
// mode: write
// scope: system
// variants: lease | chore
// why: the first SET locks the node, so that two takers read holder one after the other // [lease]
// why: the first SET locks the node, so that two takers read it one after the other // [chore]
MERGE (l:Lease {name: $name})
SET l.lock = true
WITH l, l.holder IS NULL OR l.holder = $holder OR l.until <= $now AS free // [lease]
// WITH l, (l.holder IS NULL OR l.until <= $now) AND coalesce(l.runs, 0) = $runs AS free // [chore]
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END | SET l.holder = $holder, l.until = $until)
RETURN free AS taken
