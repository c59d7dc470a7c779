// purpose: end the edges whose every supporting fact was retired
// params: agent_id STRING, attribute_ids LIST<STRING>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: both ends are looked at, for a fact of either can state the edge; it ends with the last of its facts
UNWIND $attribute_ids AS attributeId
MATCH (t:Attribute {agent_id: $agent_id, id: attributeId})
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})-[d:DEPENDS_ON]-()
WHERE d.activeKey IS NOT NULL AND NOT d.explicit AND attributeId IN d.attributeIds
  AND NOT EXISTS { UNWIND d.attributeIds AS other
    MATCH (:Attribute {agent_id: $agent_id, id: other, status: 'active'}) RETURN 1 }
SET d.activeKey = null, d.status = 'superseded', d.retiredAt = $now, d.validTo = head(COLLECT {
    UNWIND d.attributeIds AS other
    MATCH (o:Attribute {agent_id: $agent_id, id: other})
    RETURN max(o.validTo) })
RETURN DISTINCT d.id AS id
