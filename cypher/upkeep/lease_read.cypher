// purpose: what a lease says: how far its chore came, when the last backup was, until when writes wait
// params: name STRING // [mark]
// params: none // [backed_up, frozen]
// returns: mark LIST<STRING> // [mark]
// returns: at ZONED DATETIME // [backed_up]
// returns: until ZONED DATETIME // [frozen]
// mode: read
// scope: system
// variants: mark | backed_up | frozen
MATCH (l:Lease {name: $name}) // [mark]
RETURN l.mark AS mark // [mark]
// MATCH (l:Lease {name: 'backup'}) // [backed_up, frozen]
// RETURN l.lastBackup AS at // [backed_up]
// WHERE l.frozenUntil IS NOT NULL // [frozen]
// RETURN l.frozenUntil AS until // [frozen]
