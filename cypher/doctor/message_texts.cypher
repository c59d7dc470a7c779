// purpose: what was said, behind one message, by id
// params: agent_id STRING, after STRING, limit INTEGER
// returns: id STRING, text STRING
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > $after
RETURN m.id AS id, m.content + coalesce(' ' + m.toolCalls, '') AS text
ORDER BY m.agent_id, m.id LIMIT $limit
