// purpose: keep a key, by its hash
// params: hash STRING, id STRING, agent_id STRING, all_agents BOOLEAN, scope STRING, name STRING, now ZONED DATETIME, expires_at ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
// why: MERGE, because the driver may carry a transaction out twice
MERGE (k:Key {hash: $hash})
ON CREATE SET k.id = $id, k.agent_id = $agent_id, k.allAgents = $all_agents, k.scope = $scope, k.name = $name,
  k.createdAt = $now, k.expiresAt = $expires_at
