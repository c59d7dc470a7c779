// purpose: have texts embedded that have no vector and wait for none
// params: agent_id STRING, limit INTEGER
// returns: id STRING
// mode: write
// fragments: without_vector
CALL () {
  without_vector(Message) AND n.archivedAt IS NULL
  RETURN n
  UNION ALL
  without_vector(Memory)
  RETURN n
  UNION ALL
  without_vector(Attribute)
  RETURN n
  UNION ALL
  without_vector(Summary) AND n.archivedAt IS NULL
  RETURN n
}
WITH n LIMIT $limit
SET n:Unembedded
RETURN n.id AS id
