// purpose: all agents that have stored anything
// params: none
// returns: agent_id STRING
// mode: read
// scope: system
// why: goes over all of what may be looked at next, hash by hash
MATCH (n:Session|Message|Memory|ColdMemory|Entity|ColdEntity|Attribute|Summary|Payload|Event)
RETURN DISTINCT n.agent_id AS agent_id
ORDER BY agent_id
