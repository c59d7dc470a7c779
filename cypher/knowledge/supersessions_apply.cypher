// purpose: retire facts in favour of newer ones, where that is still allowed
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING, oldId STRING, newId STRING, created BOOLEAN
// mode: write
// why: what is protected from every automatic step is guarded here once more; a person (method user) may retire anything
// why: the old fact is locked before its status is read: of two writers one retires it, the other sees that and decides again
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})
SET old.lock = true
WITH old, row
WHERE old.status = 'active'
MATCH (new:Attribute {agent_id: $agent_id, id: row.newId})
WHERE new.status = 'active' AND new <> old AND (row.method = 'user' OR (
  old.kind <> 'constraint' AND NOT old.pinned AND (new.explicit OR NOT old.explicit)
  AND new.kind <> 'constraint' AND new.validFrom >= old.validFrom))
MERGE (s:Supersession {agent_id: $agent_id, oldId: row.oldId, newId: row.newId})
ON CREATE SET s.id = row.id, s.createdAt = $now
SET s.status = 'applied', s.method = row.method, s.confidence = row.confidence, s.signals = row.signals, s.reason = row.reason,
    s.decidedAt = $now
SET old.status = 'superseded', old.supersededBy = new.id, old.retiredAt = $now, old.activeKey = null,
    old.validTo = CASE WHEN old.validTo IS NULL OR old.validTo > row.validTo THEN row.validTo ELSE old.validTo END
MERGE (old)-[l:SUPERSEDED_BY {agent_id: $agent_id, id: s.id}]->(new)
SET l.validTo = row.validTo, l.at = $now
RETURN s.id AS id, row.oldId AS oldId, row.newId AS newId, s.id = row.id AS created
