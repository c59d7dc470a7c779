// purpose: a fact gets the sources of another one that says the same, and states the edges that one states
// params: agent_id STRING, id STRING, repeat_id STRING
// returns: nothing
// mode: write
// why: the link tells which repeat lent it, so that an undoing takes it back
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
MATCH (repeat:Attribute {agent_id: $agent_id, id: $repeat_id})
CALL (t, repeat) {
  MATCH (repeat)-[says:DERIVED_FROM]->(k:Memory|ColdMemory)
  MERGE (t)-[r:DERIVED_FROM]->(k)
  ON CREATE SET r.by = 'user', r.repeats = repeat.id, r.places = says.places
}
CALL (t, repeat) {
  MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: repeat.entityId})-[d:DEPENDS_ON]-()
  WHERE repeat.id IN d.attributeIds AND NOT t.id IN d.attributeIds
  SET d.attributeIds = d.attributeIds + t.id
}
