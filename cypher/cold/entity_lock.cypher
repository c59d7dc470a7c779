// purpose: lock an entity and its names until the transaction ends, and tell what it is now
// params: agent_id STRING, id STRING
// returns: entity MAP
// mode: write
// why: the names first, as entities_merge locks them: nobody says anything of it meanwhile
MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: $id})
CALL (e) {
  MATCH (n:Name)-[:NAMES]->(e)
  WITH n ORDER BY n.canonical
  SET n.lock = true
}
SET e.lock = true
RETURN e {.id, .name, survivorId: head(COLLECT { MATCH (e)-[:MERGED_INTO]->(s) RETURN s.id }), cold: e:ColdEntity, .coldAt, .coldReason, .coldNote, .coldAttributeIds, .coldDependencyIds} AS entity
