// purpose: facts, or memories, behind one of them, by id, with their keys and the salts of their seals
// params: agent_id STRING, after STRING, limit INTEGER
// returns: item MAP
// mode: read
// variants: facts | memories | cold
// fragments: fact_sealed, memory_sealed
// why: passages follow their files, which say what they said // [memories]
MATCH (n:Attribute) // [facts]
// MATCH (n:Memory) // [memories]
// MATCH (n:ColdMemory) // [cold]
WHERE n.agent_id = $agent_id AND n.id > $after
//   AND NOT n:Passage // [memories]
RETURN fact_sealed(n) AS item // [facts]
// RETURN memory_sealed(n) AS item // [memories, cold]
ORDER BY n.agent_id, n.id LIMIT $limit
