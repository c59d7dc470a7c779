// purpose: take an entity out of the graph's active part, with its facts and all edges that end at it
// params: agent_id STRING, id STRING, reason STRING, note STRING, bytes INTEGER, now ZONED DATETIME
// returns: receipt MAP
// mode: write
// why: its names go on pointing at it: the next mention finds it and brings it back
MATCH (e:Entity {agent_id: $agent_id, id: $id})
WITH e, COLLECT {
    MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
    RETURN t ORDER BY t.id } AS facts, COLLECT {
    MATCH (e)-[d:DEPENDS_ON]-()
    WHERE d.activeKey IS NOT NULL
    WITH DISTINCT d ORDER BY d.id
    RETURN d } AS edges
FOREACH (t IN facts |
  SET t.status = 'cold', t.coldKey = t.activeKey, t.activeKey = null, t.retiredAt = $now, t.coldSourceId = e.id)
FOREACH (d IN edges |
  SET d.status = 'cold', d.coldKey = d.activeKey, d.activeKey = null, d.retiredAt = $now, d.coldSourceId = e.id)
SET e.coldAt = $now, e.coldReason = $reason, e.coldNote = $note, e.coldBytes = $bytes, e.coldAttributeIds = [t IN facts | t.id],
  e.coldDependencyIds = [d IN edges | d.id]
SET e:ColdEntity
REMOVE e:Entity
RETURN e {.id, .coldAt, .coldReason, .coldNote, .coldAttributeIds, .coldDependencyIds} AS receipt
