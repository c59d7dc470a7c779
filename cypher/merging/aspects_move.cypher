// purpose: hang aspects on another entity
// params: agent_id STRING, ids LIST<STRING>, entity_id STRING
// returns: nothing
// mode: write
MATCH (e:Entity|MergedEntity {agent_id: $agent_id, id: $entity_id})
UNWIND $ids AS id
MATCH (s:Aspect {agent_id: $agent_id, id: id})
OPTIONAL MATCH (s)<-[h:HAS_ASPECT]-()
DELETE h
SET s.entityId = e.id
MERGE (e)-[:HAS_ASPECT]->(s)
