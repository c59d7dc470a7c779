// purpose: texts that have no grams, or some made in another way, so that grep may not find them, or no vector and wait for none
// params: agent_id STRING, made_by STRING
// returns: label STRING, number INTEGER, ids LIST<STRING>
// mode: read
// variants: grams | vector
// fragments: without_vector
CALL () {
  MATCH (n:Message) // [grams]
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.searchText IS NOT NULL // [grams]
    AND (n.grams IS NULL OR n.grams <> '' AND NOT n.grams STARTS WITH $made_by) // [grams]
//   without_vector(Message) AND n.archivedAt IS NULL // [vector]
  RETURN 'Message' AS label, n.id AS id
  UNION ALL
  MATCH (n:Summary) // [grams]
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.searchText IS NOT NULL // [grams]
    AND (n.grams IS NULL OR n.grams <> '' AND NOT n.grams STARTS WITH $made_by) // [grams]
//   without_vector(Memory) // [vector]
//   RETURN 'Memory' AS label, n.id AS id // [vector]
//   UNION ALL // [vector]
//   without_vector(Attribute) // [vector]
//   RETURN 'Attribute' AS label, n.id AS id // [vector]
//   UNION ALL // [vector]
//   without_vector(Summary) AND n.archivedAt IS NULL // [vector]
  RETURN 'Summary' AS label, n.id AS id
}
RETURN label, count(id) AS number, collect(id)[..5] AS ids
ORDER BY label
