// purpose: the keys of an agent, oldest first
// params: agent_id STRING
// returns: key MAP
// mode: read
MATCH (k:Key {agent_id: $agent_id})
RETURN k {.id, agentId: k.agent_id, .allAgents, .scope, .name, .createdAt, .expiresAt, .lastUsedAt, .revokedAt} AS key
ORDER BY key.createdAt, key.id
