// purpose: roll-backs by id, each with the entity that it is of by now and the last of that entity behind it
// params: agent_id STRING, ids LIST<STRING>
// returns: rollback MAP
// mode: read
// why: entityId, as the entity was then; what was merged since is what it became
UNWIND $ids AS id
MATCH (r:Rollback {agent_id: $agent_id, id: id})
RETURN r {.id, .to, .status, .reason, .createdAt, .undoneAt, .journal,
  entityId: coalesce(
    head(COLLECT { MATCH (:MergedEntity {agent_id: $agent_id, id: r.entityId})-[:MERGED_INTO]->{1,20}(e:Entity|ColdEntity) RETURN e.id LIMIT 1 }),
    r.entityId),
  later: head(COLLECT {
    MATCH (o:Rollback)
    WHERE o.agent_id = $agent_id AND o.createdAt >= r.createdAt AND o <> r AND o.entityId = r.entityId AND o.status = 'applied'
      AND (o.createdAt > r.createdAt OR o.id > r.id)
    RETURN o.id ORDER BY o.createdAt DESC, o.id DESC LIMIT 1 })} AS rollback
