// purpose: sessions that outgrew the threshold of their context window
// params: limit INTEGER
// returns: agent_id STRING, id STRING
// mode: read
// scope: system
MATCH (s:Uncompacted)
RETURN s.agent_id AS agent_id, s.id AS id
LIMIT $limit
