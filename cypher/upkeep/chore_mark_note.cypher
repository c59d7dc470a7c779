// purpose: note how far a chore came, or that it came to its end
// params: name STRING, mark LIST<STRING>
// returns: nothing
// mode: write
// scope: system
MERGE (l:Lease {name: $name})
SET l.mark = $mark
