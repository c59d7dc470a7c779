// purpose: supersessions hold no longer; their links stay, closed
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: rolledBackBy tells it from what a person undid, which is a verdict
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})-[l:SUPERSEDED_BY {agent_id: $agent_id, id: row.linkId}]->(:Attribute)
WHERE l.undoneAt IS NULL
SET l.undoneAt = $now
WITH l, row
OPTIONAL MATCH (s:Supersession {agent_id: $agent_id, id: row.recordId})
SET s.status = 'undone', s.decidedAt = $now, s.rolledBackBy = row.rolledBackBy
RETURN l.id AS id
