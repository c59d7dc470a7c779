// purpose: retire a fact because a person says so, or quarantine one that was altered, with the edges that only it supports
// params: agent_id STRING, id STRING, note STRING, now ZONED DATETIME
// returns: receipt MAP
// mode: write
// variants: deleted | altered
// why: a label of its own keeps it out of every answer, also where the cold tier is asked for or another time, until a person restores it // [altered]
// why: one that was away with its memory does not come back with that // [altered]
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
WHERE t.status IN ['active', 'superseded'] // [deleted]
// WHERE NOT t:Quarantined // [altered]
WITH t, COLLECT {
    MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})-[d:DEPENDS_ON]-()
    WHERE d.activeKey IS NOT NULL AND NOT d.explicit AND t.id IN d.attributeIds
      AND NOT EXISTS { UNWIND d.attributeIds AS other
        MATCH (:Attribute {agent_id: $agent_id, id: other, status: 'active'}) WHERE other <> t.id RETURN 1 }
    WITH DISTINCT d ORDER BY d.id
    RETURN d } AS edges
FOREACH (d IN edges |
  SET d.status = 'deleted', d.coldKey = d.activeKey, d.activeKey = null, d.retiredAt = $now, d.coldSourceId = t.id)
SET t.coldStatus = t.status, t.coldKey = t.activeKey, t.coldAt = $now, t.coldReason = 'deleted', t.coldNote = $note, // [deleted]
  t.coldDependencyIds = [d IN edges | d.id], t.retiredAt = coalesce(t.retiredAt, $now) // [deleted]
SET t.status = 'deleted', t.activeKey = null // [deleted]
// SET t.coldStatus = CASE WHEN t.status IN ['active', 'superseded'] THEN t.status ELSE coalesce(t.coldStatus, 'active') END, // [altered]
//   t.coldKey = coalesce(t.activeKey, t.coldKey), t.coldAt = coalesce(t.coldAt, $now), t.coldReason = 'altered', t.coldNote = $note, // [altered]
//   t.coldDependencyIds = coalesce(t.coldDependencyIds, []) + [d IN edges | d.id], t.retiredAt = coalesce(t.retiredAt, $now), t.coldSourceId = null // [altered]
// SET t:Quarantined, t.status = 'cold', t.activeKey = null // [altered]
RETURN t {.id, .status, .coldAt, .coldReason, .coldNote, .coldSourceId, .coldDependencyIds} AS receipt
