// purpose: what is kept of the key with this hash
// params: hash STRING
// returns: key MAP
// mode: read
// scope: system
// why: asked before it is known whose request it is
MATCH (k:Key {hash: $hash})
RETURN k {.id, agentId: k.agent_id, .allAgents, .scope, .name, .createdAt, .expiresAt, .lastUsedAt, .revokedAt} AS key
