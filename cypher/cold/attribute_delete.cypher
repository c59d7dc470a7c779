// purpose: retire a fact because a person says so, with the edges that only it supports
// params: agent_id STRING, id STRING, note STRING, now ZONED DATETIME
// returns: receipt MAP
// mode: write
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
WHERE t.status IN ['active', 'superseded']
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})
WITH t, COLLECT {
    MATCH (e)-[d:DEPENDS_ON]-()
    WHERE d.activeKey IS NOT NULL AND NOT d.explicit AND t.id IN d.attributeIds
      AND NOT EXISTS { UNWIND d.attributeIds AS other
        MATCH (:Attribute {agent_id: $agent_id, id: other, status: 'active'}) WHERE other <> t.id RETURN 1 }
    WITH DISTINCT d ORDER BY d.id
    RETURN d } AS edges
FOREACH (d IN edges |
  SET d.status = 'deleted', d.coldKey = d.activeKey, d.activeKey = null, d.retiredAt = $now, d.coldSourceId = t.id)
SET t.coldStatus = t.status, t.coldKey = t.activeKey, t.coldAt = $now, t.coldReason = 'deleted', t.coldNote = $note,
  t.coldDependencyIds = [d IN edges | d.id], t.retiredAt = coalesce(t.retiredAt, $now)
SET t.status = 'deleted', t.activeKey = null
RETURN t {.id, .status, .coldAt, .coldReason, .coldNote, .coldSourceId, .coldDependencyIds} AS receipt
