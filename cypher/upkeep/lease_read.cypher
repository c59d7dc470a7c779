// purpose: what a lease says: how far its chore came, when the last backup was, until when writes wait and when words were erased
// params: name STRING, names LIST<STRING>
// returns: mark LIST<STRING> // [mark]
// returns: at ZONED DATETIME // [backed_up]
// returns: until ZONED DATETIME, erasedAt ZONED DATETIME // [frozen]
// returns: name STRING, runs INTEGER, lastRun ZONED DATETIME, wantedAt ZONED DATETIME, error STRING // [chores]
// mode: read
// scope: system
// variants: mark | backed_up | frozen | chores
MATCH (l:Lease {name: $name}) // [mark]
RETURN l.mark AS mark // [mark]
// MATCH (l:Lease {name: 'backup'}) // [backed_up, frozen]
// RETURN l.lastBackup AS at // [backed_up]
// RETURN l.frozenUntil AS until, l.erasedAt AS erasedAt // [frozen]
// UNWIND $names AS name // [chores]
// MATCH (l:Lease {name: name}) // [chores]
// RETURN l.name AS name, coalesce(l.runs, 0) AS runs, l.lastRun AS lastRun, l.wantedAt AS wantedAt, l.error AS error // [chores]
