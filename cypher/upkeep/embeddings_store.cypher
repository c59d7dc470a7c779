// purpose: give texts their vectors, unless they changed meanwhile
// params: rows LIST<MAP>
// returns: stored INTEGER
// mode: write
// scope: system
UNWIND $rows AS row
MATCH (n:Unembedded)
WHERE elementId(n) = row.node AND n.searchText = row.text
SET n.embedding = row.vector
REMOVE n:Unembedded
RETURN count(n) AS stored
