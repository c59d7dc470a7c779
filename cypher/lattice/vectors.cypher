// purpose: the vectors of turns that have one
// params: agent_id STRING, ids LIST<STRING>
// returns: vectors LIST<LIST<ANY>>
// mode: read
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WHERE m.embedding IS NOT NULL
RETURN collect([id, m.embedding]) AS vectors
