// purpose: the edges that ended because a fact was retired
// params: agent_id STRING, attribute_id STRING
// returns: id STRING, sourceId STRING, targetId STRING, type STRING
// mode: read
// why: what a roll-back took back comes back with its undoing
MATCH (t:Attribute {agent_id: $agent_id, id: $attribute_id})
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})-[d:DEPENDS_ON]-()
WHERE d.status = 'superseded' AND t.id IN d.attributeIds AND d.rollbackId IS NULL
WITH DISTINCT d, startNode(d) AS a, endNode(d) AS b
RETURN d.id AS id, a.id AS sourceId, b.id AS targetId, d.type AS type
ORDER BY id
