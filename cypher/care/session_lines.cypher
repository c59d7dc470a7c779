// purpose: sessions behind one of them, by id, as an operator lists them
// params: agent_id STRING, after STRING, limit INTEGER
// returns: session MAP
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > $after
RETURN s {.id, .project, .source, .messages, .nextOrdinal, .startedAt, .endedAt, .archivedAt} AS session
ORDER BY s.agent_id, s.id LIMIT $limit
