// purpose: retired edges hold again; for how long they were believed retired stays with them
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: three lists of one length, since a relationship cannot have links of its own; a list holds no null
UNWIND $rows AS row
MATCH (a)-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->(b)
WHERE d.activeKey IS NULL AND NOT EXISTS { (a)-[:DEPENDS_ON {agent_id: $agent_id, activeKey: row.key}]->(b) }
SET d.retiredFrom = coalesce(d.retiredFrom, []) + coalesce(d.retiredAt, $now), d.retiredUntil = coalesce(d.retiredUntil, []) + $now,
  d.retiredEnd = coalesce(d.retiredEnd, []) + coalesce(d.validTo, d.retiredAt, $now)
SET d.status = 'active', d.activeKey = row.key, d.validTo = row.validTo
REMOVE d.retiredAt, d.deletedAt, d.note, d.rollbackId
RETURN d.id AS id
