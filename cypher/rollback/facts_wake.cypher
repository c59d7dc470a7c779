// purpose: facts that nothing holds down any more are active again
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
// why: one that was sent away and restored keeps the end that it has
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
WHERE t.status IN ['superseded', 'active'] AND NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.undoneAt IS NULL }
SET t.validTo = CASE WHEN t.status = 'superseded' THEN t.ownValidTo ELSE t.validTo END, t.status = 'active', t.activeKey = row.key
REMOVE t.supersededBy, t.retiredAt, t.ownValidTo
RETURN t.id AS id
