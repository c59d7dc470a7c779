// purpose: texts that have no vector and wait for none
// params: agent_id STRING
// returns: label STRING, number INTEGER, ids LIST<STRING>
// mode: read
CALL () {
  MATCH (n:Message)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded AND n.archivedAt IS NULL
  RETURN 'Message' AS label, n.id AS id
  UNION ALL
  MATCH (n:Memory)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded
  RETURN 'Memory' AS label, n.id AS id
  UNION ALL
  MATCH (n:Attribute)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded
  RETURN 'Attribute' AS label, n.id AS id
  UNION ALL
  MATCH (n:Summary)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded AND n.archivedAt IS NULL
  RETURN 'Summary' AS label, n.id AS id
}
RETURN label, count(id) AS number, collect(id)[..5] AS ids
ORDER BY label
