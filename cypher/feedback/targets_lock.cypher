// purpose: lock what feedback is given to until the transaction ends, with the aspects of facts, and tell how it stands
// params: agent_id STRING, ids LIST<STRING>
// returns: asked STRING, id STRING, kind STRING, weight FLOAT, own FLOAT, feedback FLOAT
// mode: write
UNWIND $ids AS asked
CALL (asked) {
  MATCH (n:Message {agent_id: $agent_id, id: asked}) SET n.lock = true
  RETURN n.id AS id, 'message' AS kind, null AS weight, null AS own, n.feedback AS feedback
  UNION
  MATCH (n:Memory|ColdMemory {agent_id: $agent_id, id: asked}) SET n.lock = true
  RETURN n.id AS id, 'memory' AS kind, null AS weight, null AS own, n.feedback AS feedback
  UNION
  MATCH (n:Summary {agent_id: $agent_id, id: asked}) SET n.lock = true
  RETURN n.id AS id, 'summary' AS kind, null AS weight, null AS own, n.feedback AS feedback
  UNION
  MATCH (n:Entity|ColdEntity {agent_id: $agent_id, id: asked}) SET n.lock = true
  RETURN n.id AS id, 'entity' AS kind, null AS weight, null AS own, n.feedback AS feedback
  UNION
  MATCH (n:Attribute {agent_id: $agent_id, id: asked}) SET n.lock = true
  RETURN n.id AS id, 'attribute' AS kind, null AS weight, null AS own, n.feedback AS feedback
  UNION
  MATCH (:Attribute {agent_id: $agent_id, id: asked})<-[:HAS_ATTRIBUTE]-(n:Aspect) SET n.lock = true
  RETURN n.id AS id, 'aspect' AS kind, n.weight AS weight, n.unmoved AS own, n.feedback AS feedback
  UNION
  MATCH (n:Aspect {agent_id: $agent_id, id: asked}) SET n.lock = true
  RETURN n.id AS id, 'aspect' AS kind, n.weight AS weight, n.unmoved AS own, n.feedback AS feedback
  UNION
  MATCH ()-[n:DEPENDS_ON {agent_id: $agent_id, id: asked}]->() SET n.lock = true
  RETURN n.id AS id, 'dependency' AS kind, n.strength AS weight, n.unmoved AS own, n.feedback AS feedback
}
RETURN asked, id, kind, weight, own, feedback
ORDER BY id, asked
