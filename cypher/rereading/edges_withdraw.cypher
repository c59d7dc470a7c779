// purpose: send dependencies to the cold tier that no longer are what their messages say
// params: agent_id STRING, ids LIST<STRING>, attribute_ids LIST<STRING>, reason STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: one that a fact states which went too comes back with it
UNWIND $ids AS id
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->()
WHERE d.activeKey IS NOT NULL
SET d.status = 'cold', d.coldKey = d.activeKey, d.coldReason = $reason, d.retiredAt = $now,
  d.coldSourceId = head([one IN d.attributeIds WHERE one IN $attribute_ids])
SET d.activeKey = null
RETURN d.id AS id
