// purpose: the next agent that gave feedback, by name
// params: after STRING
// returns: agent_id STRING
// mode: read
// scope: system
// why: read off the index in its order, one agent for one seek, however much feedback each gave
MATCH (f:Feedback)
WHERE f.agent_id > $after AND f.id IS NOT NULL
RETURN f.agent_id AS agent_id
ORDER BY f.agent_id
LIMIT 1
