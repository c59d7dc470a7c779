// purpose: texts that wait for a vector, or whose grams are missing or were made in another way
// params: limit INTEGER, stale STRING, made_by STRING
// returns: node STRING, agent_id STRING, text STRING // [vectors]
// returns: node STRING, said LIST<STRING> // [grams]
// mode: read
// scope: system
// variants: vectors | grams
// why: a node without a text, which only somebody else could make, must not hold up all others // [vectors]
// why: one label for all kinds: a label scan touches only what waits // [vectors]
// why: texts without grams are looked for among all, but seldom: what is stored has its grams from the first moment // [grams]
// why: the index tells grams made in another way without reading any; erased texts keep empty ones // [grams]
MATCH (n:Unembedded) // [vectors]
WHERE n.searchText IS NOT NULL // [vectors]
RETURN elementId(n) AS node, n.agent_id AS agent_id, n.searchText AS text // [vectors]
// CALL () { // [grams]
//   MATCH (n:Message|Summary) // [grams]
//   WHERE n.grams IS NULL AND n.searchText IS NOT NULL // [grams]
//   RETURN n // [grams]
//   UNION ALL // [grams]
//   CALL db.index.fulltext.queryNodes('message_grams', $stale) YIELD node AS n // [grams]
//   WHERE n.grams <> '' AND NOT n.grams STARTS WITH $made_by // [grams]
//   RETURN n // [grams]
//   UNION ALL // [grams]
//   CALL db.index.fulltext.queryNodes('summary_grams', $stale) YIELD node AS n // [grams]
//   WHERE n.grams <> '' AND NOT n.grams STARTS WITH $made_by // [grams]
//   RETURN n // [grams]
// } // [grams]
// RETURN elementId(n) AS node, [n.searchText, n.name, n.toolCalls, CASE n.contentKind WHEN 'parts' THEN n.content END] AS said // [grams]
LIMIT $limit
