// purpose: the hash of an agent's last chained event
// params: agent_id STRING
// returns: hash STRING
// mode: read
MATCH (c:EventChain {agent_id: $agent_id})
RETURN c.hash AS hash
