// purpose: leave with the survivor the facts that aspects gained while they were its own
// params: agent_id STRING, rows LIST<MAP>, fact_ids LIST<STRING>, entity_id STRING, now ZONED DATETIME
// returns: nothing
// mode: write
MATCH (e:Entity {agent_id: $agent_id, id: $entity_id})
UNWIND $rows AS row
MATCH (s:Aspect {agent_id: $agent_id, id: row.id})-[h:HAS_ATTRIBUTE]->(t:Attribute)
WHERE NOT t.id IN $fact_ids
MERGE (o:Aspect {agent_id: $agent_id, entityId: $entity_id, canonicalName: s.canonicalName})
ON CREATE SET o.id = row.newId, o.name = s.name, o.weight = s.weight, o.createdAt = $now
MERGE (e)-[:HAS_ASPECT]->(o)
MERGE (o)-[:HAS_ATTRIBUTE]->(t)
DELETE h
