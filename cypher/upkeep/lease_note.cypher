// purpose: note on a lease how far its chore came, that it is due at once, that a backup is done, until when writes wait, when words were erased
// params: name STRING, mark LIST<STRING>, now ZONED DATETIME, until ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
// variants: mark | want | backed_up | frozen | erased
MERGE (l:Lease {name: $name}) // [mark, want]
SET l.mark = $mark // [mark]
// SET l.wantedAt = $now // [want]
// MERGE (l:Lease {name: 'backup'}) // [backed_up, frozen, erased]
// SET l.lastBackup = $now // [backed_up]
// SET l.frozenUntil = $until // [frozen]
// SET l.erasedAt = $now // [erased]
