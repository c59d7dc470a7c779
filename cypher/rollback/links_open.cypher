// purpose: supersessions hold again, by links of their own
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: what is away or deleted retires nothing, unless it was away before the link was closed that comes back (closedId)
UNWIND $rows AS row
MATCH (old:Attribute {agent_id: $agent_id, id: row.oldId})
MATCH (new:Attribute {agent_id: $agent_id, id: row.newId})
WHERE (new.status IN ['active', 'superseded'] OR EXISTS {
    (old)-[was:SUPERSEDED_BY {agent_id: $agent_id, id: row.closedId}]->(new) WHERE coalesce(new.coldAt, new.retiredAt) <= was.undoneAt
  }) AND NOT EXISTS { (old)-[l:SUPERSEDED_BY]->() WHERE l.undoneAt IS NULL }
MATCH (s:Supersession {agent_id: $agent_id, id: row.recordId})
SET s.status = 'applied', s.decidedAt = $now, s.rolledBackBy = null,
  s.refinedBefore = CASE WHEN s.refinedBy IS NULL THEN s.refinedBefore ELSE coalesce(s.refinedBefore, []) + s.refinedBy END, s.refinedBy = null
CREATE (old)-[:SUPERSEDED_BY {agent_id: $agent_id, id: row.id, supersessionId: s.id, validTo: row.validTo, at: $now}]->(new)
RETURN row.id AS id
