// purpose: open sessions to which nothing was said for a while, longest first
// params: before ZONED DATETIME, limit INTEGER
// returns: agent_id STRING, id STRING
// mode: read
// scope: system
MATCH (s:Session)
WHERE s.idleSince < $before
RETURN s.agent_id AS agent_id, s.id AS id ORDER BY s.idleSince LIMIT $limit
