// purpose: messages, memories, or facts, that history does not seal yet
// params: limit INTEGER
// returns: agent_id STRING, item MAP
// mode: read
// scope: system
// variants: messages | memories | facts
// fragments: message_sealed, memory_sealed, fact_sealed
// why: goes over all of them, but seldom: so that a write has nothing to note, and older stores and backups are sealed as well
// why: passages follow their files, which say what they said // [memories]
MATCH (m:Message) // [messages]
WHERE m.salt IS NULL AND m.erasedAt IS NULL // [messages]
RETURN m.agent_id AS agent_id, m {message_sealed(m)} AS item // [messages]
// MATCH (k:Memory|ColdMemory) // [memories]
// WHERE k.salt IS NULL AND NOT k:Passage // [memories]
// RETURN k.agent_id AS agent_id, memory_sealed(k) AS item // [memories]
// MATCH (t:Attribute) // [facts]
// WHERE t.salt IS NULL // [facts]
// RETURN t.agent_id AS agent_id, fact_sealed(t) AS item // [facts]
LIMIT $limit
