// purpose: take a named lease if it is free, over, or already ours
// params: name STRING, holder STRING, now ZONED DATETIME, until ZONED DATETIME
// returns: taken BOOLEAN
// mode: write
// scope: system
// why: the first SET locks the node, so that two takers read holder one after the other
MERGE (l:Lease {name: $name})
SET l.lock = true
WITH l, l.holder IS NULL OR l.holder = $holder OR l.until <= $now AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END | SET l.holder = $holder, l.until = $until)
RETURN free AS taken
