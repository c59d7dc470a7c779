// purpose: how much an agent has in the cold tier, since when, and why
// params: agent_id STRING
// returns: kind STRING, reason STRING, number INTEGER, oldest ZONED DATETIME, newest ZONED DATETIME, bytes INTEGER
// mode: read
// why: entities by their index of ids, which a search for the agent alone does not use
CALL () {
  MATCH (c:ColdMemory)
  WHERE c.agent_id = $agent_id AND c.id > ''
  RETURN 'memory' AS kind, c
  UNION ALL
  MATCH (c:ColdEntity)
  WHERE c.agent_id = $agent_id AND c.id > ''
  RETURN 'entity' AS kind, c
}
RETURN kind, c.coldReason AS reason, count(c) AS number, min(c.coldAt) AS oldest, max(c.coldAt) AS newest, sum(c.coldBytes) AS bytes
ORDER BY kind, reason
