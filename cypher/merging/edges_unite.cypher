// purpose: retire dependencies that another of the same ends and type takes in, or that would lead from an entity to itself
// params: agent_id STRING, rows LIST<MAP>, merge_id STRING, now ZONED DATETIME
// returns: id STRING, keptId STRING, before MAP, after MAP
// mode: write
UNWIND $rows AS row
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->()
OPTIONAL MATCH ()-[k:DEPENDS_ON {agent_id: $agent_id, id: row.keptId}]->()
WITH d, k, k {.explicit, .memoryIds, .attributeIds, .sessionIds} AS before
FOREACH (one IN CASE WHEN k IS NULL THEN [] ELSE [k] END |
  SET one.explicit = one.explicit OR d.explicit,
    one.memoryIds = one.memoryIds + [id IN d.memoryIds WHERE NOT id IN one.memoryIds],
    one.attributeIds = one.attributeIds + [id IN d.attributeIds WHERE NOT id IN one.attributeIds],
    one.sessionIds = one.sessionIds + [id IN d.sessionIds WHERE NOT id IN one.sessionIds])
SET d.status = 'cold', d.activeKey = null, d.retiredAt = $now, d.coldSourceId = coalesce(k.id, $merge_id)
RETURN d.id AS id, k.id AS keptId, before, k {.explicit, .memoryIds, .attributeIds, .sessionIds} AS after
