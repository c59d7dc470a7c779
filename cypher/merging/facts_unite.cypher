// purpose: of the same fact of two entities one lives on, with the support and the weight of both
// params: agent_id STRING, rows LIST<MAP>, merge_id STRING, now ZONED DATETIME
// returns: id STRING, keptId STRING, before MAP, after MAP
// mode: write
// why: what it was before is told, so that it can be undone; the support that is added carries the merge
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
MATCH (k:Attribute {agent_id: $agent_id, id: row.keptId})
WITH t, k, k {.confidence, .importance, .pinned, .explicit, .sessionIds} AS before
CALL (t, k) {
  MATCH (t)-[says:DERIVED_FROM]->(m:Memory|ColdMemory)
  WHERE NOT EXISTS { (k)-[:DERIVED_FROM]->(m) }
  CREATE (k)-[:DERIVED_FROM {mergeId: $merge_id, places: says.places}]->(m)
}
SET k.confidence = CASE WHEN t.confidence > k.confidence THEN t.confidence ELSE k.confidence END,
  k.importance = CASE WHEN t.importance > k.importance THEN t.importance ELSE k.importance END,
  k.pinned = k.pinned OR t.pinned, k.explicit = k.explicit OR t.explicit,
  k.sessionIds = k.sessionIds + [seen IN t.sessionIds WHERE NOT seen IN k.sessionIds]
SET t.status = 'cold', t.activeKey = null, t.retiredAt = $now, t.coldSourceId = k.id
RETURN t.id AS id, k.id AS keptId, before, k {.confidence, .importance, .pinned, .explicit, .sessionIds} AS after
