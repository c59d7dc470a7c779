// purpose: all that is said in messages behind one of them, by id
// params: agent_id STRING, after STRING, limit INTEGER
// returns: role STRING, message MAP
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > $after
RETURN m.role AS role, m {.id, .name, .content, .contentKind, .toolCalls, .metadata, .searchText, .sha256} AS message
ORDER BY m.agent_id, m.id LIMIT $limit
