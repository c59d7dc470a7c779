// purpose: make the records of retirements agree with their links; a record that is gone is made anew
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.id})-[l:SUPERSEDED_BY {agent_id: $agent_id, id: row.linkId}]->(new:Attribute)
WHERE l.undoneAt IS NULL
MERGE (s:Supersession {agent_id: $agent_id, oldId: old.id, newId: new.id})
ON CREATE SET s.id = l.id, s.createdAt = coalesce(l.at, $now), s.method = 'user', s.by = 'repair', s.confidence = 1.0, s.signals = '[]',
  s.reason = 'record made anew by the doctor'
SET s.status = 'applied', s.decidedAt = coalesce(s.decidedAt, l.at, $now), l.supersessionId = s.id
RETURN old.id AS id
