// purpose: messages and summaries that were stored before there were grams, or restored from such a store
// params: limit INTEGER
// returns: node STRING, said LIST<STRING>
// mode: read
// scope: system
// why: goes over all of them, but seldom: everything stored since has its grams from the first moment
MATCH (n:Message|Summary)
WHERE n.grams IS NULL AND n.searchText IS NOT NULL
RETURN elementId(n) AS node, [n.searchText, n.name, n.toolCalls, CASE n.contentKind WHEN 'parts' THEN n.content END] AS said
LIMIT $limit
