// purpose: when the last sessions ended, the last one first
// params: agent_id STRING, limit INTEGER
// returns: at ZONED DATETIME
// mode: read
MATCH (s:Session {agent_id: $agent_id})
WHERE s.endedAt IS NOT NULL
RETURN s.endedAt AS at
ORDER BY s.agent_id DESC, s.endedAt DESC
LIMIT $limit
