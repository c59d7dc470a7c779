// purpose: the next agent that has summaries, by name
// params: after STRING
// returns: agent_id STRING
// mode: read
// scope: system
// why: read off the index in its order, one agent for one seek, however many summaries each has
MATCH (y:Summary)
WHERE y.agent_id > $after AND y.id > ''
RETURN y.agent_id AS agent_id
ORDER BY y.agent_id
LIMIT 1
