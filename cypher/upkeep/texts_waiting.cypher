// purpose: texts that wait for a vector, or were stored before there were grams
// params: limit INTEGER
// returns: node STRING, agent_id STRING, text STRING // [vectors]
// returns: node STRING, said LIST<STRING> // [grams]
// mode: read
// scope: system
// variants: vectors | grams
// why: a node without a text, which only somebody else could make, must not hold up all others // [vectors]
// why: one label for all kinds: a label scan touches only what waits // [vectors]
// why: goes over all of them, but seldom: everything stored since has its grams from the first moment // [grams]
MATCH (n:Unembedded) // [vectors]
WHERE n.searchText IS NOT NULL // [vectors]
RETURN elementId(n) AS node, n.agent_id AS agent_id, n.searchText AS text // [vectors]
// MATCH (n:Message|Summary) // [grams]
// WHERE n.grams IS NULL AND n.searchText IS NOT NULL // [grams]
// RETURN elementId(n) AS node, [n.searchText, n.name, n.toolCalls, CASE n.contentKind WHEN 'parts' THEN n.content END] AS said // [grams]
LIMIT $limit
