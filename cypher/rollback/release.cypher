// purpose: roll-backs, or supersessions, hold facts down no longer; their links stay, closed
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// variants: retirements | links
// why: rolledBackBy tells it from what a person undid, which is a verdict // [links]
UNWIND $rows AS row
MATCH (:Attribute {agent_id: $agent_id, id: row.factId})-[l:RETIRED_BY]->(:Rollback {agent_id: $agent_id, id: row.rollbackId}) // [retirements]
// MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})-[l:SUPERSEDED_BY {agent_id: $agent_id, id: row.linkId}]->(:Attribute) // [links]
WHERE l.undoneAt IS NULL
SET l.undoneAt = $now
// WITH l, row // [links]
// OPTIONAL MATCH (s:Supersession {agent_id: $agent_id, id: row.recordId}) // [links]
// SET s.status = 'undone', s.decidedAt = $now, s.rolledBackBy = row.rolledBackBy // [links]
RETURN l.id AS id
