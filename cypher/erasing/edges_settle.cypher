// purpose: take erased memories and facts out of what dependencies rest on, and erase those that rested on nothing else
// params: agent_id STRING, entity_ids LIST<STRING>, memory_ids LIST<STRING>, fact_ids LIST<STRING>
// returns: id STRING, reason STRING, gone BOOLEAN
// mode: write
UNWIND $entity_ids AS entityId
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: entityId})-[d:DEPENDS_ON]-()
WHERE any(id IN coalesce(d.memoryIds, []) WHERE id IN $memory_ids) OR any(id IN coalesce(d.attributeIds, []) WHERE id IN $fact_ids)
WITH DISTINCT d
SET d.memoryIds = [id IN d.memoryIds WHERE NOT id IN $memory_ids], d.attributeIds = [id IN coalesce(d.attributeIds, []) WHERE NOT id IN $fact_ids]
WITH d, d.id AS id, d.reason AS reason, size(d.memoryIds) = 0 AS gone
FOREACH (one IN CASE WHEN gone THEN [d] ELSE [] END | DELETE one)
RETURN id, reason, gone
