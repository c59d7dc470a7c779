// purpose: end the dependencies that a repository no longer has
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: one that was also said, or drawn by a person, holds on without the code
UNWIND $rows AS row
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: row.sourceId})-[d:DEPENDS_ON {activeKey: row.activeKey}]->(:Entity|ColdEntity)
WHERE d.provenance = 'code'
WITH d, d.explicit OR size(d.memoryIds) > 0 AS said
FOREACH (_ IN CASE WHEN said THEN [1] ELSE [] END | REMOVE d.provenance, d.file, d.line, d.how)
FOREACH (_ IN CASE WHEN said THEN [] ELSE [1] END |
  SET d.activeKey = null, d.status = 'superseded', d.retiredAt = $now, d.validTo = $now)
WITH d, said
WHERE NOT said
RETURN d.id AS id
