// purpose: lock what memories are about until the transaction ends
// params: agent_id STRING, ids LIST<STRING>
// returns: entityIds LIST<STRING>
// mode: write
// why: in the order of their names, as entities_merge locks them, so that writers wait for each other and do not deadlock
CALL () {
  UNWIND $ids AS id
  MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})-[:MENTIONS]->(e:Entity|ColdEntity)
  RETURN e
  UNION
  UNWIND $ids AS id
  MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})<-[:DERIVED_FROM]-(t:Attribute)
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})
  RETURN e
}
WITH e ORDER BY e.canonicalName
SET e.lock = true
RETURN collect(e.id) AS entityIds
