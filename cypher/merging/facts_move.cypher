// purpose: facts belong to another entity and hang on its aspects
// params: agent_id STRING, rows LIST<MAP>, entity_id STRING
// returns: nothing
// mode: write
// why: the key says whose fact it is; one that has none, or waits with it, stays so
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
MATCH (s:Aspect {agent_id: $agent_id, id: row.aspectId})
OPTIONAL MATCH (t)<-[h:HAS_ATTRIBUTE]-()
DELETE h
SET t.entityId = $entity_id, t.aspect = s.name,
  t.activeKey = CASE WHEN t.activeKey IS NULL THEN null ELSE row.key END,
  t.coldKey = CASE WHEN t.coldKey IS NULL THEN null ELSE row.key END
MERGE (s)-[:HAS_ATTRIBUTE]->(t)
