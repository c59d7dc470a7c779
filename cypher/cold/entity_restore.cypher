// purpose: bring an entity back from the cold tier, with the facts and edges that went with it
// params: agent_id STRING, id STRING, by_person BOOLEAN
// returns: attributeIds LIST<STRING>, dependencyIds LIST<STRING>
// mode: write
// why: what no active memory states stays away until one does; of the same fact or edge learned twice one comes back and takes the support of both
MATCH (e:ColdEntity {agent_id: $agent_id, id: $id})
SET e:Entity, e.kept = CASE WHEN $by_person THEN true ELSE e.kept END
REMOVE e:ColdEntity, e.coldAt, e.coldReason, e.coldNote, e.coldBytes, e.coldAttributeIds, e.coldDependencyIds
WITH e
CALL (e) {
  MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'cold'})
  WHERE t.coldKey IS NOT NULL AND t.coldStatus IS NULL AND EXISTS { (t)-[:DERIVED_FROM]->(:Memory) }
  WITH t ORDER BY t.id
  WITH t.coldKey AS key, collect(t) AS same
  WITH key, head(same) AS first, tail(same) AS others
  SET first.status = 'active', first.activeKey = key, first.retiredAt = null, first.coldKey = null, first.coldSourceId = null
  FOREACH (t IN others | SET t.coldKey = null, t.coldSourceId = first.id)
  WITH first, others
  CALL (first, others) {
    UNWIND others AS t
    MATCH (t)-[says:DERIVED_FROM]->(k:Memory)
    MERGE (first)-[r:DERIVED_FROM]->(k)
    ON CREATE SET r.places = says.places
  }
  RETURN collect(first.id) AS attributeIds
}
CALL (e) {
  MATCH (e)-[d:DEPENDS_ON]-(:Entity)
  WHERE d.status = 'cold' AND d.coldKey IS NOT NULL AND d.coldReason IS NULL
    AND (d.explicit OR EXISTS { UNWIND d.memoryIds AS id MATCH (:Memory {agent_id: $agent_id, id: id}) RETURN 1 })
  WITH DISTINCT d ORDER BY d.id
  WITH d.coldKey AS key, collect(d) AS same
  WITH key, head(same) AS first, tail(same) AS others
  SET first.status = 'active', first.activeKey = key, first.retiredAt = null, first.coldKey = null, first.coldSourceId = null
  FOREACH (d IN others |
    SET first.memoryIds = first.memoryIds + [id IN d.memoryIds WHERE NOT id IN first.memoryIds], d.coldKey = null, d.coldSourceId = first.id)
  RETURN collect(first.id) AS dependencyIds
}
RETURN attributeIds, dependencyIds
