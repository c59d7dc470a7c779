// purpose: edges hold again with a fact that states them, unless they were drawn anew meanwhile
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: when it was believed to have ended, and until when it was, stays with it
UNWIND $rows AS row
MATCH (a:Entity|ColdEntity {agent_id: $agent_id, id: row.sourceId})-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->(b)
WHERE d.status = 'superseded' AND NOT EXISTS { (a)-[:DEPENDS_ON {agent_id: $agent_id, activeKey: row.key}]->(b) }
SET d.retiredFrom = coalesce(d.retiredFrom, []) + d.retiredAt, d.retiredUntil = coalesce(d.retiredUntil, []) + $now,
  d.retiredEnd = coalesce(d.retiredEnd, []) + d.validTo
SET d.status = 'active', d.activeKey = row.key, d.validTo = null, d.retiredAt = null
RETURN d.id AS id
