// purpose: messages behind one of them, by id: all that is said in them, or those that may hold a file as base64; or how many have a very big text
// params: agent_id STRING, after STRING, limit INTEGER, mark STRING, chars INTEGER
// returns: role STRING, message MAP // [texts]
// returns: message MAP // [heavy]
// returns: number INTEGER, ids LIST<STRING> // [oversized]
// mode: read
// variants: texts | heavy | oversized
// why: whether one does is a rule's to say; here is only what it cannot say of most // [heavy]
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > $after // [texts, heavy]
RETURN m.role AS role, m {.id, .name, .content, .contentKind, .toolCalls, .metadata, .searchText, .sha256} AS message // [texts]
//   AND (size(m.content) >= $chars OR m.content CONTAINS $mark OR m.toolCalls CONTAINS $mark OR size(m.toolCalls) >= $chars // [heavy]
//     OR m.metadata CONTAINS $mark OR size(m.metadata) >= $chars) // [heavy]
// RETURN m {.id, .name, .content, .contentKind, .toolCalls, .metadata, .searchText, .sha256} AS message // [heavy]
ORDER BY m.agent_id, m.id LIMIT $limit // [texts, heavy]
// WHERE m.agent_id = $agent_id AND m.id > '' AND m.contentChars > $chars // [oversized]
// RETURN count(m) AS number, collect(m.id)[..5] AS ids // [oversized]
