// purpose: erase facts: those that rest on nothing any more, those of entities, and those named
// params: agent_id STRING, ids LIST<STRING>, entity_ids LIST<STRING>, fact_ids LIST<STRING>
// returns: id STRING, content STRING, entityId STRING
// mode: write
// why: what an erased fact took the place of does not hold again: it stays superseded, and that its successor was erased is noted
CALL () {
  UNWIND $ids AS id
  MATCH (t:Attribute {agent_id: $agent_id, id: id})
  WHERE NOT EXISTS { (t)-[:DERIVED_FROM]->(:Memory|ColdMemory) }
  RETURN t
  UNION
  UNWIND $entity_ids AS id
  MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: id})-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
  RETURN t
  UNION
  UNWIND $fact_ids AS id
  MATCH (t:Attribute {agent_id: $agent_id, id: id})
  RETURN t
}
WITH DISTINCT t
CALL (t) {
  MATCH (t)<-[:SUPERSEDED_BY]-(o:Attribute)
  SET o.supersededBy = null, o.erasedSuccessor = true
}
WITH t, t.id AS id, t.content AS content, t.entityId AS entityId
DETACH DELETE t
RETURN id, content, entityId
