// purpose: until when writes wait
// params: none
// returns: until ZONED DATETIME
// mode: read
// scope: system
MATCH (l:Lease {name: 'backup'})
WHERE l.frozenUntil IS NOT NULL
RETURN l.frozenUntil AS until
