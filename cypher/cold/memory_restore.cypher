// purpose: bring a memory back from the cold tier, with the facts and edges that went with it
// params: agent_id STRING, id STRING, by_person BOOLEAN
// returns: statusNow STRING, attributeIds LIST<STRING>, dependencyIds LIST<STRING>, confirmedIds LIST<STRING>
// mode: write
// why: a fact is cold exactly while its entity or all of its memories are, so those of another archived memory that rest on this one come back too
// why: where the same fact, edge or statement was learned anew meanwhile, that one stays and gains this memory as support; the old one keeps no key
MATCH (k:ColdMemory {agent_id: $agent_id, id: $id})
SET k.contentKey = CASE WHEN EXISTS { MATCH (:Memory {agent_id: $agent_id, contentKey: k.contentKey}) } THEN null ELSE k.contentKey END
SET k:Memory, k.status = k.coldStatus, k.kept = CASE WHEN $by_person THEN true ELSE k.kept END
REMOVE k:ColdMemory, k.coldStatus, k.coldAt, k.coldReason, k.coldNote, k.coldBytes, k.coldSourceId, k.coldAttributeIds, k.coldDependencyIds
FOREACH (_ IN CASE WHEN k.embedding IS NULL THEN [1] ELSE [] END | SET k:Unembedded)
WITH k
CALL (k) {
  MATCH (k)<-[says:DERIVED_FROM]-(t:Attribute {status: 'cold'})
  WHERE t.coldKey IS NOT NULL AND t.coldStatus IS NULL AND EXISTS { MATCH (:Entity {agent_id: $agent_id, id: t.entityId}) }
  OPTIONAL MATCH (twin:Attribute {agent_id: $agent_id, activeKey: t.coldKey})
  WITH k, t, twin, says ORDER BY t.id
  FOREACH (_ IN CASE WHEN twin IS NULL THEN [1] ELSE [] END |
    SET t.status = 'active', t.activeKey = t.coldKey, t.retiredAt = null, t.coldKey = null, t.coldSourceId = null)
  FOREACH (one IN CASE WHEN twin IS NULL THEN [] ELSE [twin] END |
    MERGE (one)-[r:DERIVED_FROM]->(k)
    ON CREATE SET r.places = says.places
    SET t.coldKey = null, t.coldSourceId = one.id)
  RETURN collect(CASE WHEN twin IS NULL THEN t.id END) AS attributeIds, collect(twin.id) AS twinIds
}
CALL (k) {
  MATCH (k)-[:MENTIONS]->(:Entity)-[d:DEPENDS_ON]-(:Entity)
  WHERE d.status = 'cold' AND d.coldKey IS NOT NULL AND d.coldReason IS NULL AND k.id IN d.memoryIds
  WITH DISTINCT k, d, startNode(d) AS a, endNode(d) AS b
  OPTIONAL MATCH (a)-[twin:DEPENDS_ON {agent_id: $agent_id, activeKey: d.coldKey}]->(b)
  WITH k, d, twin ORDER BY d.id
  FOREACH (_ IN CASE WHEN twin IS NULL THEN [1] ELSE [] END |
    SET d.status = 'active', d.activeKey = d.coldKey, d.retiredAt = null, d.coldKey = null, d.coldSourceId = null)
  FOREACH (one IN CASE WHEN twin IS NULL THEN [] ELSE [twin] END |
    SET one.memoryIds = one.memoryIds + [id IN [k.id] WHERE NOT id IN one.memoryIds], d.coldKey = null, d.coldSourceId = one.id)
  RETURN collect(CASE WHEN twin IS NULL THEN d.id END) AS dependencyIds
}
RETURN k.status AS statusNow, attributeIds, dependencyIds, twinIds AS confirmedIds
