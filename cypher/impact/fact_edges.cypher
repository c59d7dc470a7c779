// purpose: the edges that a fact states, and by what else each is supported
// params: agent_id STRING, id STRING
// returns: id STRING, supports INTEGER
// mode: read
// why: as knowledge/dependencies_retire decides: an explicit edge stands by itself, the others with the last of their facts
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})-[d:DEPENDS_ON]-()
WHERE d.activeKey IS NOT NULL AND t.id IN d.attributeIds
WITH DISTINCT d
RETURN d.id AS id, CASE WHEN d.explicit THEN 1 ELSE 0 END + COUNT {
    UNWIND d.attributeIds AS other
    MATCH (o:Attribute {agent_id: $agent_id, id: other, status: 'active'})
    WHERE o.id <> $id
    RETURN o } AS supports
ORDER BY id
