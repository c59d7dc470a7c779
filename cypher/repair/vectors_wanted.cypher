// purpose: have texts embedded that have no vector and wait for none
// params: agent_id STRING, limit INTEGER
// returns: id STRING
// mode: write
CALL () {
  MATCH (n:Message)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded AND n.archivedAt IS NULL
  RETURN n
  UNION ALL
  MATCH (n:Memory)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded
  RETURN n
  UNION ALL
  MATCH (n:Attribute)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded
  RETURN n
  UNION ALL
  MATCH (n:Summary)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.embedding IS NULL AND NOT n:Unembedded AND n.archivedAt IS NULL
  RETURN n
}
WITH n LIMIT $limit
SET n:Unembedded
RETURN n.id AS id
