// purpose: send facts to the cold tier that no longer are what their messages say, while their statements stay
// params: agent_id STRING, ids LIST<STRING>, reason STRING, note STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: coldStatus is what tells them from facts that went with a memory or an entity and come back with it
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id, status: 'active'})
SET t.status = 'cold', t.coldStatus = 'active', t.coldKey = t.activeKey, t.coldAt = $now, t.coldReason = $reason, t.coldNote = $note,
  t.coldDependencyIds = [], t.retiredAt = $now
SET t.activeKey = null
RETURN t.id AS id
