// purpose: the vectors of turns, and of passages, that have one
// params: agent_id STRING, ids LIST<STRING>
// returns: vectors LIST<LIST<ANY>>
// mode: read
UNWIND $ids AS id
CALL (id) {
  MATCH (m:Message {agent_id: $agent_id, id: id})
  RETURN m.embedding AS embedding
  UNION ALL
  MATCH (m:Memory {agent_id: $agent_id, id: id})
  RETURN m.embedding AS embedding
}
WITH id, embedding
WHERE embedding IS NOT NULL
RETURN collect([id, embedding]) AS vectors
