// purpose: the next agent that has memories, by name
// params: after STRING
// returns: agent_id STRING
// mode: read
// scope: system
// why: read off the index in its order, one agent for one seek, however many memories each has
MATCH (k:Memory)
WHERE k.agent_id > $after AND k.id > ''
RETURN k.agent_id AS agent_id
ORDER BY k.agent_id
LIMIT 1
