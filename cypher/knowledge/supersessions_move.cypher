// purpose: a fact that was superseded is so by a closer one: its link is closed, and another made
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING, oldId STRING, newId STRING, created BOOLEAN
// mode: write
// why: the guards are those of supersessions_apply; the closer fact lies between the two, so that no circle comes of it
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})
SET old.lock = true
WITH old, row
WHERE old.status = 'superseded' AND old.supersededBy = row.insteadOf
MATCH (new:Attribute {agent_id: $agent_id, id: row.newId})
WHERE new.status IN ['active', 'superseded'] AND old.kind <> 'constraint' AND NOT old.pinned AND (new.explicit OR NOT old.explicit)
  AND new.kind <> 'constraint' AND new.validFrom < old.validTo
  AND (new.validFrom > old.validFrom OR new.validFrom = old.validFrom AND new.createdAt >= old.createdAt)
  AND (new.status = 'active' OR new.validTo > new.validFrom)
MATCH (old)-[l:SUPERSEDED_BY]->(:Attribute {agent_id: $agent_id, id: row.insteadOf})
WHERE l.undoneAt IS NULL
MATCH (was:Supersession {agent_id: $agent_id, oldId: row.oldId, newId: row.insteadOf})
MERGE (s:Supersession {agent_id: $agent_id, oldId: row.oldId, newId: row.newId})
ON CREATE SET s.id = row.id, s.createdAt = $now, s.status = 'proposed'
WITH old, new, row, l, was, s
WHERE s.status = 'proposed'
SET l.undoneAt = $now, l.reason = 'refined', was.status = 'undone', was.decidedAt = $now, was.refinedBy = s.id
SET s.status = 'applied', s.method = row.method, s.by = coalesce(row.by, s.by), s.confidence = row.confidence, s.signals = row.signals, s.reason = row.reason,
  s.decidedAt = $now
SET old.supersededBy = new.id, old.validTo = row.validTo
CREATE (old)-[:SUPERSEDED_BY {agent_id: $agent_id, id: row.id, supersessionId: s.id, by: s.by, validTo: row.validTo, at: $now}]->(new)
RETURN s.id AS id, row.oldId AS oldId, row.newId AS newId, s.id = row.id AS created
