// purpose: retire facts in favour of newer ones, where that is still allowed
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING, oldId STRING, newId STRING, created BOOLEAN
// mode: write
// why: what is protected from every automatic step is guarded here once more; what a person asks for may retire anything
// why: the old fact is locked before its status is read: of two writers one retires it, the other sees that and decides again
// why: a late fact may be retired by one that is superseded itself, unless that never held; what is away or deleted retires nothing, but for what it had retired before (evenAway)
// why: who undoes what gave way to a closer fact once, and holds again, means it: refinedBy would say that nobody did
// why: a link that was undone stays closed; who retires the fact once more makes a new one, with an id of its own
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})
SET old.lock = true
WITH old, row
WHERE old.status = 'active'
MATCH (new:Attribute {agent_id: $agent_id, id: row.newId})
WITH old, new, row, coalesce(old.saidAt, old.validFrom) AS oldest, coalesce(new.saidAt, new.validFrom) AS newest
WHERE (new.status IN ['active', 'superseded'] OR row.evenAway) AND new <> old AND (row.asked OR (
  old.kind <> 'constraint' AND NOT old.pinned AND (new.explicit OR NOT old.explicit)
  AND new.kind <> 'constraint' AND (newest > oldest OR newest = oldest AND new.createdAt >= old.createdAt)
  AND (new.status = 'active' OR new.validTo > new.validFrom)))
  AND NOT EXISTS { (new) (()-[o:SUPERSEDED_BY WHERE o.undoneAt IS NULL]->()){1,20} (old) }
MERGE (s:Supersession {agent_id: $agent_id, oldId: row.oldId, newId: row.newId})
ON CREATE SET s.id = row.id, s.createdAt = $now, s.status = 'proposed'
WITH old, new, row, s
WHERE row.asked OR s.status = 'proposed'
OPTIONAL MATCH (old)-[closed:SUPERSEDED_BY {agent_id: $agent_id, id: s.id}]->(new)
SET s.status = 'applied', s.method = row.method, s.by = coalesce(row.by, s.by), s.confidence = row.confidence, s.signals = row.signals, s.reason = row.reason,
  s.decidedAt = $now, s.refinedBefore = CASE WHEN s.refinedBy IS NULL THEN s.refinedBefore ELSE coalesce(s.refinedBefore, []) + s.refinedBy END, s.refinedBy = null,
  s.acceptedAt = CASE WHEN row.accepted THEN $now ELSE s.acceptedAt END
SET old.ownValidTo = old.validTo
SET old.status = 'superseded', old.supersededBy = new.id, old.retiredAt = $now, old.activeKey = null,
  old.validTo = CASE WHEN old.validTo <= row.validTo THEN old.validTo WHEN row.validTo < old.validFrom THEN old.validFrom ELSE row.validTo END
CREATE (old)-[:SUPERSEDED_BY {agent_id: $agent_id, id: CASE WHEN closed IS NULL THEN s.id ELSE row.id END, supersessionId: s.id, by: s.by,
  validTo: CASE WHEN row.validTo < old.validFrom THEN old.validFrom ELSE row.validTo END, at: $now}]->(new)
RETURN s.id AS id, row.oldId AS oldId, row.newId AS newId, s.id = row.id AS created
