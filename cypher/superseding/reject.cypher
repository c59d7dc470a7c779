// purpose: turn a proposed supersession down; the pair is never proposed again
// params: agent_id STRING, id STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
MATCH (s:Supersession {agent_id: $agent_id, id: $id})
SET s.lock = true
WITH s
WHERE s.status = 'proposed'
SET s.status = 'rejected', s.decidedAt = $now
RETURN s.id AS id
