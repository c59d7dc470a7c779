// purpose: roll-backs take facts back: they never held
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.factId})
MATCH (r:Rollback {agent_id: $agent_id, id: row.rollbackId})
CREATE (t)-[l:RETIRED_BY {agent_id: $agent_id, id: row.id, validTo: t.validFrom, at: $now}]->(r)
RETURN l.id AS id
