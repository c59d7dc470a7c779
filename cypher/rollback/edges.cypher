// purpose: edges with when they were believed retired
// params: agent_id STRING, ids LIST<STRING>
// returns: edge MAP
// mode: read
UNWIND $ids AS id
MATCH (a)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b)
RETURN {id: d.id, sourceId: a.id, targetId: b.id, type: d.type, status: coalesce(d.status, 'active'), createdAt: d.createdAt, validFrom: d.validFrom,
  validTo: d.validTo, retiredAt: d.retiredAt, deletedAt: d.deletedAt, note: d.note,
  goneWith: CASE WHEN d.coldKey IS NOT NULL THEN d.coldSourceId END, coldReason: d.coldReason,
  retiredFrom: coalesce(d.retiredFrom, []), retiredUntil: coalesce(d.retiredUntil, [])} AS edge
