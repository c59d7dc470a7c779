// purpose: writes wait until a time, or, without one, no longer
// params: until ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
MERGE (l:Lease {name: 'backup'})
SET l.frozenUntil = $until
