// purpose: give texts their vectors, or their grams, unless they changed, got some or were erased meanwhile
// params: rows LIST<MAP>, made_by STRING
// returns: stored INTEGER
// mode: write
// scope: system
// variants: vectors | grams
UNWIND $rows AS row
MATCH (n:Unembedded) // [vectors]
WHERE elementId(n) = row.node AND n.searchText = row.text // [vectors]
SET n.embedding = row.vector // [vectors]
REMOVE n:Unembedded // [vectors]
// MATCH (n:Message|Summary) // [grams]
// WHERE elementId(n) = row.node AND (n.grams IS NULL OR n.grams <> '' AND NOT n.grams STARTS WITH $made_by) // [grams]
// SET n.grams = row.grams // [grams]
RETURN count(n) AS stored
