// purpose: erase memories: those named, those about entities, and those that rest on erased messages alone
// params: agent_id STRING, ids LIST<STRING>, entity_ids LIST<STRING>, message_ids LIST<STRING>
// returns: id STRING, content STRING, explicit BOOLEAN, factIds LIST<STRING>, entityIds LIST<STRING>
// mode: write
// why: what a person gave rests on that, whoever else says it
CALL () {
  UNWIND $ids AS id
  MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id})
  RETURN k
  UNION
  UNWIND $entity_ids AS id
  MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: id})<-[:MENTIONS]-(k:Memory|ColdMemory)
  RETURN k
  UNION
  UNWIND $message_ids AS id
  MATCH (:Message {agent_id: $agent_id, id: id})<-[:DERIVED_FROM]-(k:Memory|ColdMemory)
  WHERE NOT coalesce(k.explicit, false) AND NOT EXISTS { MATCH (k)-[l:DERIVED_FROM]->(o:Message) WHERE o.erasing IS NULL AND l.lost IS NULL }
  RETURN k
}
WITH DISTINCT k
WITH k, k.id AS id, k.content AS content, coalesce(k.explicit, false) AS explicit, COLLECT { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.id } AS factIds,
  COLLECT { MATCH (k)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN e.id } AS entityIds
DETACH DELETE k
RETURN id, content, explicit, factIds, entityIds
