// purpose: take the vectors of the next texts of an agent away and have them embedded anew; until then words find them
// params: agent_id STRING, after STRING, limit INTEGER, waiting BOOLEAN
// returns: id STRING, node STRING, text STRING
// mode: write
// why: with `waiting` only those that have none yet, as all do where the embedder is another one
// why: in order of their ids, which an index of each label holds, so that a job that is broken off goes on where it was
CALL () {
  MATCH (n:Message)
  WHERE n.agent_id = $agent_id AND n.id > $after AND (n:Unembedded OR NOT $waiting) AND n.archivedAt IS NULL
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:Memory)
  WHERE n.agent_id = $agent_id AND n.id > $after AND (n:Unembedded OR NOT $waiting)
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:Attribute)
  WHERE n.agent_id = $agent_id AND n.id > $after AND (n:Unembedded OR NOT $waiting)
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:Summary)
  WHERE n.agent_id = $agent_id AND n.id > $after AND (n:Unembedded OR NOT $waiting) AND n.archivedAt IS NULL
  RETURN n ORDER BY n.agent_id, n.id LIMIT $limit
}
WITH n ORDER BY n.id LIMIT $limit
SET n:Unembedded
REMOVE n.embedding
RETURN n.id AS id, elementId(n) AS node, n.searchText AS text
