// purpose: close links of active facts, and note in their records that they were undone
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.id})-[l:SUPERSEDED_BY {agent_id: $agent_id, id: row.linkId}]->(new:Attribute)
SET l.undoneAt = $now
WITH old, new
OPTIONAL MATCH (s:Supersession {agent_id: $agent_id, oldId: old.id, newId: new.id})
SET s.status = 'undone', s.decidedAt = $now
RETURN old.id AS id
