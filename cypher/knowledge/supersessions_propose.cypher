// purpose: record supersessions for a person to decide on; a pair once decided stays decided
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING, oldId STRING, newId STRING, created BOOLEAN
// mode: write
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})
MATCH (new:Attribute {agent_id: $agent_id, id: row.newId})
MERGE (s:Supersession {agent_id: $agent_id, oldId: row.oldId, newId: row.newId})
ON CREATE SET s.id = row.id, s.createdAt = $now, s.status = 'proposed', s.method = row.method, s.by = row.by, s.confidence = row.confidence,
  s.signals = row.signals, s.reason = row.reason
RETURN s.id AS id, row.oldId AS oldId, row.newId AS newId, s.id = row.id AS created
