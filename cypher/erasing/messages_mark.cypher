// purpose: mark messages that are about to be erased, and read all that they say
// params: agent_id STRING, ids LIST<STRING>, erasure_id STRING
// returns: id STRING, sessionId STRING, texts LIST<STRING>
// mode: write
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WHERE m.erasedAt IS NULL
SET m.erasing = $erasure_id
RETURN m.id AS id, m.sessionId AS sessionId, [text IN [m.content, m.name, m.toolCalls, m.metadata, m.searchText] WHERE text IS NOT NULL] AS texts
