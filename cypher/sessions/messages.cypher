// purpose: messages, cut: by the store's own ids, each from an offset of its content on, or of a session behind an ordinal
// params: agent_id STRING, rows LIST<MAP>, chars INTEGER, extras INTEGER, session_id STRING, after INTEGER, limit INTEGER
// returns: message MAP
// mode: read
// variants: ids | page
// fragments: message_row
// why: times as text, which the driver reads 100 times as fast
UNWIND $rows AS row // [ids]
MATCH (m:Message {agent_id: $agent_id, id: row.id}) // [ids]
RETURN message_row(m, row.offset) AS message // [ids]
// MATCH (m:Message) // [page]
// WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal > $after // [page]
// WITH m ORDER BY m.ordinal // [page]
// LIMIT $limit // [page]
// RETURN message_row(m, 0) AS message // [page]
