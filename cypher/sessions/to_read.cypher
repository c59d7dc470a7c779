// purpose: sessions that passed by a bypass and are still to read: the next one by id, and how many
// params: agent_id STRING
// returns: id STRING, sessions INTEGER
// mode: read
MATCH (s:Session)
WHERE s.agent_id = $agent_id AND s.id > '' AND s.toRead
RETURN min(s.id) AS id, count(s) AS sessions
