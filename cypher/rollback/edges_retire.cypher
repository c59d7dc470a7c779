// purpose: edges are retired by a roll-back, or because one is undone, as the rows say
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->()
WHERE d.activeKey IS NOT NULL
SET d.status = row.status, d.activeKey = null, d.retiredAt = $now, d.validTo = row.validTo, d.deletedAt = row.deletedAt, d.note = row.note,
  d.rollbackId = row.rollbackId
RETURN d.id AS id
