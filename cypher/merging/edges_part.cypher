// purpose: dependencies that were retired by a merge are active again, and those that took them in have what they had
// params: agent_id STRING, rows LIST<MAP>, merge_id STRING, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: either is cold where none of its own statements is active any more, as everywhere, unless a person drew it
// why: one that a person deleted meanwhile stays so, and so does one in whose place another is active
UNWIND $rows AS row
MATCH (a)-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->(b)
WHERE d.status = 'cold' AND d.coldKey IS NULL AND d.coldSourceId = coalesce(row.keptId, $merge_id)
OPTIONAL MATCH ()-[k:DEPENDS_ON {agent_id: $agent_id, id: row.keptId}]->()
OPTIONAL MATCH (a)-[twin:DEPENDS_ON {agent_id: $agent_id, activeKey: row.key}]->(b)
FOREACH (one IN CASE WHEN k IS NULL THEN [] ELSE [k] END |
  SET one.explicit = CASE WHEN one.explicit = row.after.explicit THEN row.before.explicit ELSE one.explicit END,
    one.memoryIds = [id IN one.memoryIds WHERE id IN row.before.memoryIds OR NOT id IN row.after.memoryIds],
    one.attributeIds = [id IN one.attributeIds WHERE id IN row.before.attributeIds OR NOT id IN row.after.attributeIds],
    one.sessionIds = [id IN one.sessionIds WHERE id IN row.before.sessionIds OR NOT id IN row.after.sessionIds])
WITH d, k, row, twin, k IS NULL OR k.activeKey IS NULL OR k.explicit OR EXISTS { UNWIND k.memoryIds AS id
  MATCH (:Memory {agent_id: $agent_id, id: id}) RETURN 1 } AS supported
FOREACH (one IN CASE WHEN supported THEN [] ELSE [k] END |
  SET one.status = 'cold', one.coldKey = one.activeKey, one.retiredAt = $now, one.coldSourceId = head(one.memoryIds)
  SET one.activeKey = null)
WITH d, row, twin, d.explicit OR EXISTS { UNWIND d.memoryIds AS id MATCH (:Memory {agent_id: $agent_id, id: id}) RETURN 1 } AS active
WHERE twin IS NULL
SET d.status = CASE WHEN active THEN 'active' ELSE 'cold' END, d.activeKey = CASE WHEN active THEN row.key END,
  d.coldKey = CASE WHEN active THEN null ELSE row.key END, d.retiredAt = CASE WHEN active THEN null ELSE d.retiredAt END,
  d.coldSourceId = CASE WHEN active THEN null ELSE head(d.memoryIds) END
RETURN d.id AS id
