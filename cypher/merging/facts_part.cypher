// purpose: a fact that lived on in another stands by itself again, and the other has what it had
// params: agent_id STRING, rows LIST<MAP>, merge_id STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: what changed meanwhile stays; either fact is cold where none of its own statements is active any more, as everywhere
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id, status: 'cold'})
MATCH (k:Attribute {agent_id: $agent_id, id: row.keptId})
WHERE t.coldKey IS NULL AND t.coldSourceId = k.id
CALL (k) {
  MATCH (k)-[l:DERIVED_FROM {mergeId: $merge_id}]->()
  DELETE l
}
SET k.confidence = CASE WHEN k.confidence = row.after.confidence THEN row.before.confidence ELSE k.confidence END,
  k.importance = CASE WHEN k.importance = row.after.importance THEN row.before.importance ELSE k.importance END,
  k.pinned = CASE WHEN k.pinned = row.after.pinned THEN row.before.pinned ELSE k.pinned END,
  k.explicit = CASE WHEN k.explicit = row.after.explicit THEN row.before.explicit ELSE k.explicit END,
  k.sessionIds = [seen IN k.sessionIds WHERE seen IN row.before.sessionIds OR NOT seen IN row.after.sessionIds]
WITH t, k, row, k.activeKey IS NULL OR EXISTS { (k)-[:DERIVED_FROM]->(:Memory) } AS supported,
  head(COLLECT { MATCH (k)-[:DERIVED_FROM]->(c:ColdMemory) RETURN c.id ORDER BY c.id }) AS away
FOREACH (one IN CASE WHEN supported THEN [] ELSE [k] END |
  SET one.status = 'cold', one.coldKey = one.activeKey, one.retiredAt = $now, one.coldSourceId = away
  SET one.activeKey = null)
WITH t, row, EXISTS { (t)-[:DERIVED_FROM]->(:Memory) } AS active
SET t.status = CASE WHEN active THEN 'active' ELSE 'cold' END,
  t.activeKey = CASE WHEN active THEN row.key END, t.coldKey = CASE WHEN active THEN null ELSE row.key END,
  t.retiredAt = CASE WHEN active THEN null ELSE t.retiredAt END,
  t.coldSourceId = CASE WHEN active THEN null ELSE head(COLLECT { MATCH (t)-[:DERIVED_FROM]->(c:ColdMemory) RETURN c.id ORDER BY c.id }) END
RETURN t.id AS id
