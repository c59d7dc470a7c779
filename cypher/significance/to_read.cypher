// purpose: the next session that passed the gate by a bypass and was not read yet
// params: agent_id STRING, after STRING
// returns: id STRING
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > $after AND s.toRead
RETURN s.id AS id
ORDER BY s.agent_id, s.id LIMIT 1
