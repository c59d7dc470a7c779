// purpose: record that two facts hold side by side, so that nothing but a person lets one supersede the other
// params: agent_id STRING, old_id STRING, new_id STRING, id STRING, reason STRING, now ZONED DATETIME
// returns: id STRING, before STRING
// mode: write
// why: a record that was rejected is what every pass asks for before it retires or proposes
MERGE (s:Supersession {agent_id: $agent_id, oldId: $old_id, newId: $new_id})
ON CREATE SET s.id = $id, s.createdAt = $now, s.method = 'user', s.by = 'user', s.confidence = 1.0, s.signals = '[]'
WITH s, s.status AS before
SET s.status = 'rejected', s.decidedAt = CASE WHEN before = 'rejected' THEN s.decidedAt ELSE $now END, s.refinedBy = null,
  s.reason = coalesce($reason, s.reason)
RETURN s.id AS id, before
