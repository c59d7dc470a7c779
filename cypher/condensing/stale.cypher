// purpose: whether some arc or epoch of an agent tells what may have changed, or no longer holds
// params: agent_id STRING, now ZONED DATETIME
// returns: stale BOOLEAN
// mode: read
// why: kinds as prefixes of the indexed key, so that no other summary is looked at
UNWIND ['arc', 'epoch'] AS kind
MATCH (y:Summary)
WHERE y.agent_id = $agent_id AND y.dagKey STARTS WITH kind + ':' AND y.archivedAt IS NULL
  AND (y.stale OR EXISTS { MATCH (y)-[:STATES]->(t:Attribute) WHERE NOT t.status IN ['active', 'superseded'] OR t.validTo <= $now })
RETURN count(y) > 0 AS stale
