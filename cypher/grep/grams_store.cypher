// purpose: give texts their grams, unless they have some by now
// params: rows LIST<MAP>
// returns: stored INTEGER
// mode: write
// scope: system
UNWIND $rows AS row
MATCH (n:Message|Summary)
WHERE elementId(n) = row.node AND n.grams IS NULL
SET n.grams = row.grams
RETURN count(n) AS stored
