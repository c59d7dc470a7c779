// purpose: link retired facts to the successors that they name, with a record of it
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.id})
SET old.lock = true
WITH old, row WHERE old.status = 'superseded'
MATCH (new:Attribute {agent_id: $agent_id, id: old.supersededBy})
MERGE (s:Supersession {agent_id: $agent_id, oldId: old.id, newId: new.id})
ON CREATE SET s.id = row.newRecord, s.createdAt = coalesce(old.retiredAt, $now), s.method = 'user', s.by = 'repair', s.confidence = 1.0, s.signals = '[]',
  s.reason = 'record made anew by the doctor'
SET s.status = 'applied', s.decidedAt = coalesce(s.decidedAt, old.retiredAt, $now)
WITH old, new, row, s
OPTIONAL MATCH (old)-[closed:SUPERSEDED_BY {agent_id: $agent_id, id: s.id}]->(new)
CREATE (old)-[:SUPERSEDED_BY {agent_id: $agent_id, id: CASE WHEN closed IS NULL THEN s.id ELSE row.newRecord END, supersessionId: s.id,
  validTo: coalesce(old.validTo, $now), at: coalesce(old.retiredAt, $now)}]->(new)
RETURN old.id AS id
