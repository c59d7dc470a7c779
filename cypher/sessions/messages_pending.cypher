// purpose: messages of a session from an ordinal on, in order, as extraction reads them
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, limit INTEGER
// returns: message MAP
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.archivedAt IS NULL
RETURN m {.id, .messageId, .ordinal, .role, .name, .createdAt, .contentKind, .content, offsetS: m.createdAt.offsetSeconds} AS message
ORDER BY m.ordinal
LIMIT $limit
