// purpose: how far a chore came
// params: name STRING
// returns: mark LIST<STRING>
// mode: read
// scope: system
MATCH (l:Lease {name: $name})
RETURN l.mark AS mark
