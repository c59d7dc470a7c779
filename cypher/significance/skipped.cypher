// purpose: sessions that the gate kept from being read, those that ended first in front
// params: agent_id STRING, limit INTEGER
// returns: id STRING, gate STRING
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > '' AND s.skippedAt IS NOT NULL AND s.archivedAt IS NULL
RETURN s.id AS id, s.gate AS gate
ORDER BY s.skippedAt, s.id LIMIT $limit
