// purpose: texts that have no grams, so that grep does not find them
// params: agent_id STRING
// returns: label STRING, number INTEGER, ids LIST<STRING>
// mode: read
CALL () {
  MATCH (n:Message)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.grams IS NULL AND n.searchText IS NOT NULL
  RETURN 'Message' AS label, n.id AS id
  UNION ALL
  MATCH (n:Summary)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.grams IS NULL AND n.searchText IS NOT NULL
  RETURN 'Summary' AS label, n.id AS id
}
RETURN label, count(id) AS number, collect(id)[..5] AS ids
ORDER BY label
