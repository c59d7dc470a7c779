// purpose: give a lease back
// params: name STRING, holder STRING
// returns: nothing
// mode: write
// scope: system
MATCH (l:Lease {name: $name})
WHERE l.holder = $holder
REMOVE l.holder, l.until
