// purpose: record that two entities are one
// params: agent_id STRING, id STRING, pair_key STRING, from_id STRING, into_id STRING, method STRING, reason STRING, journal STRING, edge_ids LIST<STRING>, now ZONED DATETIME
// returns: id STRING
// mode: write
MERGE (m:Merge {agent_id: $agent_id, pairKey: $pair_key})
ON CREATE SET m.id = $id, m.createdAt = $now
SET m.fromId = $from_id, m.intoId = $into_id, m.status = 'applied', m.method = $method, m.reason = $reason, m.decidedAt = $now,
  m.journal = $journal, m.edgeIds = $edge_ids
RETURN m.id AS id
