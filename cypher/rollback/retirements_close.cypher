// purpose: roll-backs no longer hold facts down; their links stay, closed
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (:Attribute {agent_id: $agent_id, id: row.factId})-[l:RETIRED_BY]->(:Rollback {agent_id: $agent_id, id: row.rollbackId})
WHERE l.undoneAt IS NULL
SET l.undoneAt = $now
RETURN l.id AS id
