// purpose: facts with all that ever retired them
// params: agent_id STRING, ids LIST<STRING>
// returns: fact MAP
// mode: read
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
RETURN t {.id, .entityId, .content, .status, .supersededBy, .kept, .createdAt, .validFrom, .retiredAt, .coldStatus, .coldAt, .coldReason,
  .coldNote, .coldDependencyIds, protected: t.pinned OR t.kind = 'constraint',
  goneWith: CASE WHEN t.status IN ['cold', 'deleted'] AND t.coldStatus IS NULL AND t.coldKey IS NOT NULL THEN t.coldSourceId END,
  memoryAway: CASE WHEN EXISTS { (t)-[:DERIVED_FROM]->(:Memory) } THEN null
    ELSE head(COLLECT { MATCH (t)-[:DERIVED_FROM]->(c:ColdMemory) RETURN c.id ORDER BY c.id }) END,
  successors: COLLECT {
    MATCH (t)-[l:SUPERSEDED_BY]->(n:Attribute)
    OPTIONAL MATCH (s:Supersession {agent_id: $agent_id, id: coalesce(l.supersessionId, l.id)})
    RETURN {linkId: l.id, newId: n.id, newStatus: n.status, recordId: coalesce(l.supersessionId, l.id), validTo: l.validTo, at: l.at,
      undoneAt: l.undoneAt, rolledBackBy: s.rolledBackBy} ORDER BY l.at, l.id },
  retirements: COLLECT {
    MATCH (t)-[l:RETIRED_BY]->(r:Rollback)
    RETURN {linkId: l.id, rollbackId: r.id, validTo: l.validTo, at: l.at, undoneAt: l.undoneAt} ORDER BY l.at, l.id }} AS fact
