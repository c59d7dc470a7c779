// purpose: record that two entities may be one, for a person to decide; a pair is proposed once, whatever came of it
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING, fromId STRING, intoId STRING, reason STRING
// mode: write
UNWIND $rows AS row
MATCH (f:Entity {agent_id: $agent_id, id: row.fromId})
MATCH (w:Name {agent_id: $agent_id, canonical: row.near})-[:NAMES]->(s:Entity)
WHERE s <> f
WITH row, f.id AS fromId, s.id AS intoId
MERGE (m:Merge {agent_id: $agent_id, pairKey: CASE WHEN fromId < intoId THEN fromId + ' ' + intoId ELSE intoId + ' ' + fromId END})
ON CREATE SET m.id = row.id, m.createdAt = $now, m.fromId = fromId, m.intoId = intoId, m.status = 'proposed',
  m.method = row.method, m.reason = row.reason
WITH row, m
WHERE m.id = row.id
RETURN m.id AS id, m.fromId AS fromId, m.intoId AS intoId, m.reason AS reason
