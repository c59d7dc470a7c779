// purpose: let altered facts say again what they said, of the entity they were about, where no other fact holds that
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: row.entityId})
WHERE row.key IS NULL OR NOT EXISTS { (o:Attribute {agent_id: $agent_id, activeKey: row.key}) WHERE o.id <> row.id }
SET t.content = row.content, t.searchText = row.content, t.aspect = row.aspect, t.kind = row.kind, t.entityId = row.entityId,
  t.activeKey = row.key, t.coldKey = CASE WHEN t.coldKey IS NULL THEN null ELSE row.coldKey END, t:Unembedded
WITH t
CALL (t) {
  MATCH (s:Aspect)-[h:HAS_ATTRIBUTE]->(t)
  WHERE s.entityId <> t.entityId
  DELETE h
}
RETURN t.id AS id
