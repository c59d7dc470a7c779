// purpose: all keys, oldest first
// params: none
// returns: key MAP
// mode: read
// scope: system
MATCH (k:Key)
RETURN k {.id, agentId: k.agent_id, .allAgents, .scope, .name, .createdAt, .expiresAt, .lastUsedAt, .revokedAt} AS key
ORDER BY key.createdAt, key.id
