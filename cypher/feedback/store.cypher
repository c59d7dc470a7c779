// purpose: move what was given feedback, and keep the feedback itself
// params: agent_id STRING, rows LIST<MAP>, session_id STRING, now ZONED DATETIME
// returns: nothing
// mode: write
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Message {agent_id: $agent_id, id: row.id}) SET n.feedback = row.feedback
  UNION
  MATCH (n:Memory|ColdMemory {agent_id: $agent_id, id: row.id}) SET n.feedback = row.feedback
  UNION
  MATCH (n:Summary {agent_id: $agent_id, id: row.id}) SET n.feedback = row.feedback
  UNION
  MATCH (n:Entity|ColdEntity {agent_id: $agent_id, id: row.id}) SET n.feedback = row.feedback
  UNION
  MATCH (n:Attribute {agent_id: $agent_id, id: row.id}) SET n.feedback = row.feedback
  UNION
  MATCH (n:Aspect {agent_id: $agent_id, id: row.id}) SET n.feedback = row.feedback, n.unmoved = row.own, n.weight = row.after
  UNION
  MATCH ()-[n:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->()
  SET n.feedback = row.feedback, n.unmoved = row.own, n.strength = row.after
}
CREATE (:Feedback {agent_id: $agent_id, id: row.feedbackId, targetId: row.id, kind: row.kind, score: row.score, sessionId: $session_id,
  at: $now, before: row.before, after: row.after})
