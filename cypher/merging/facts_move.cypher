// purpose: facts belong to another entity and hang on its aspects
// params: agent_id STRING, rows LIST<MAP>, entity_id STRING
// returns: nothing
// mode: write
// why: the key says whose fact it is; one that has none, or waits with it, stays so
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
SET t.entityId = $entity_id,
  t.activeKey = CASE WHEN t.activeKey IS NULL THEN null ELSE row.key END,
  t.coldKey = CASE WHEN t.coldKey IS NULL THEN null ELSE row.key END
WITH t, row
CALL (t) {
  MATCH (t)<-[h:HAS_ATTRIBUTE]-()
  DELETE h
}
UNWIND row.aspectIds AS aspectId
MATCH (s:Aspect {agent_id: $agent_id, id: aspectId})
MERGE (s)-[:HAS_ATTRIBUTE]->(t)
