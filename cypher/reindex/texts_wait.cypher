// purpose: take the vectors of the next texts of an agent away and have them embedded anew; until then words find them
// params: agent_id STRING, after STRING, limit INTEGER, waiting BOOLEAN
// returns: id STRING, node STRING, text STRING
// mode: write
// fragments: embedded_anew
// why: with `waiting` only those that have none yet, as all do where the embedder is another one
// why: in order of their ids, which an index of each label holds, so that a job that is broken off goes on where it was
CALL () {
  embedded_anew(Message) AND n.archivedAt IS NULL
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
  UNION ALL
  embedded_anew(Memory)
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
  UNION ALL
  embedded_anew(Attribute)
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
  UNION ALL
  embedded_anew(Summary) AND n.archivedAt IS NULL
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
}
WITH n ORDER BY n.id LIMIT $limit
SET n:Unembedded
REMOVE n.embedding
RETURN n.id AS id, elementId(n) AS node, n.searchText AS text
