// purpose: a chore is due at once
// params: name STRING, now ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
MERGE (l:Lease {name: $name})
SET l.wantedAt = $now
