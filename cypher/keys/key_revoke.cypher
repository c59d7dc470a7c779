// purpose: end a key; one that ended before keeps its time
// params: id STRING, now ZONED DATETIME
// returns: key MAP
// mode: write
// scope: system
MATCH (k:Key {id: $id})
SET k.revokedAt = coalesce(k.revokedAt, $now)
RETURN k {.id, agentId: k.agent_id, .allAgents, .scope, .name, .createdAt, .expiresAt, .lastUsedAt, .revokedAt} AS key
