// purpose: history that waits too long for being chained
// params: agent_id STRING, before ZONED DATETIME
// returns: number INTEGER
// mode: read
MATCH (e:Unsealed)
WHERE e.agent_id = $agent_id AND e.at < $before
RETURN count(e) AS number
