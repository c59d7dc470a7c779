// purpose: bring back a fact that went by itself, deleted or withdrawn, with the edges that went with it
// params: agent_id STRING, id STRING, by_person BOOLEAN
// returns: statusNow STRING, dependencyIds LIST<STRING>
// mode: write
// why: an edge that was drawn anew meanwhile stays as it is, and the old one keeps no key
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
WHERE t.status IN ['deleted', 'cold'] AND t.coldStatus IS NOT NULL
SET t.kept = CASE WHEN $by_person THEN true ELSE t.kept END, t.status = t.coldStatus, t.activeKey = t.coldKey, t.retiredAt = CASE WHEN t.coldStatus = 'active' THEN null ELSE t.retiredAt END
REMOVE t:Quarantined, t.coldStatus, t.coldKey, t.coldAt, t.coldReason, t.coldNote, t.coldDependencyIds
WITH t
CALL (t) {
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId})-[d:DEPENDS_ON]-()
  WHERE d.status IN ['deleted', 'cold'] AND d.coldSourceId = t.id AND d.coldKey IS NOT NULL
  WITH DISTINCT d, startNode(d) AS a, endNode(d) AS b
  OPTIONAL MATCH (a)-[twin:DEPENDS_ON {agent_id: $agent_id, activeKey: d.coldKey}]->(b)
  WITH d, twin ORDER BY d.id
  FOREACH (_ IN CASE WHEN twin IS NULL THEN [1] ELSE [] END |
    SET d.status = 'active', d.activeKey = d.coldKey, d.retiredAt = null, d.coldSourceId = null, d.coldReason = null)
  FOREACH (one IN CASE WHEN twin IS NULL THEN [] ELSE [twin] END | SET d.coldSourceId = one.id)
  SET d.coldKey = null
  RETURN collect(CASE WHEN twin IS NULL THEN d.id END) AS dependencyIds
}
RETURN t.status AS statusNow, dependencyIds
