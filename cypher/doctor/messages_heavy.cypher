// purpose: messages behind one of them, by id, that may hold a file as base64
// params: agent_id STRING, after STRING, mark STRING, chars INTEGER, limit INTEGER
// returns: message MAP
// mode: read
// why: whether one does is a rule's to say; here is only what it cannot say of most
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > $after
  AND (size(m.content) >= $chars OR m.content CONTAINS $mark OR m.toolCalls CONTAINS $mark OR size(m.toolCalls) >= $chars
    OR m.metadata CONTAINS $mark OR size(m.metadata) >= $chars)
RETURN m {.id, .name, .content, .contentKind, .toolCalls, .metadata, .searchText, .sha256} AS message
ORDER BY m.agent_id, m.id LIMIT $limit
