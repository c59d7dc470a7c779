// purpose: how many of an agent's facts came from each level of the ladder
// params: agent_id STRING
// returns: level INTEGER, number INTEGER
// mode: read
MATCH (t:Attribute)
WHERE t.agent_id = $agent_id AND t.id > ''
RETURN t.extractionLevel AS level, count(*) AS number
