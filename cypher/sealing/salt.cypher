// purpose: give messages, memories, or facts, the salts of their seals, as far as they still say what was read
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
// variants: messages | memories | facts
// why: the SET locks before what it says is looked at: what was erased meanwhile gets no salt, so that its seal tells nothing
UNWIND $rows AS row
MATCH (n:Message {agent_id: $agent_id, id: row.id}) // [messages]
// MATCH (n:Memory|ColdMemory {agent_id: $agent_id, id: row.id}) // [memories]
// MATCH (n:Attribute {agent_id: $agent_id, id: row.id}) // [facts]
WHERE n.salt IS NULL
SET n.salt = row.salt
WITH n, row, n.sha256 = row.says AND n.erasedAt IS NULL AS same // [messages]
// WITH n, row, n.content = row.says AS same // [memories, facts]
SET n.salt = CASE WHEN same THEN row.salt END
WITH n WHERE same
RETURN n.id AS id
