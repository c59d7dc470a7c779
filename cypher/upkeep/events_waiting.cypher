// purpose: agents with history that is not chained yet, or how much of an agent has waited too long for it
// params: agent_id STRING, before ZONED DATETIME
// returns: agent_id STRING // [agents]
// returns: number INTEGER // [overdue]
// mode: read
// scope: system // [agents]
// variants: agents | overdue
MATCH (e:Unsealed)
RETURN DISTINCT e.agent_id AS agent_id // [agents]
LIMIT 1000 // [agents]
// WHERE e.agent_id = $agent_id AND e.at < $before // [overdue]
// RETURN count(e) AS number // [overdue]
