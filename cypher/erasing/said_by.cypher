// purpose: the messages that say memories, or that speak of entities
// params: agent_id STRING, ids LIST<STRING>, entity_ids LIST<STRING>
// returns: id STRING
// mode: read
CALL () {
  UNWIND $ids AS id
  MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: id})-[:DERIVED_FROM]->(m:Message)
  RETURN m
  UNION
  UNWIND $entity_ids AS id
  MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: id})<-[:MENTIONS]-(m:Message)
  RETURN m
  UNION
  UNWIND $entity_ids AS id
  MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: id})<-[:MENTIONS]-(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
  RETURN m
}
RETURN DISTINCT m.id AS id
ORDER BY id
