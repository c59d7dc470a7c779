// purpose: let what feedback moved fade, where it stands as it was looked at
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Message {agent_id: $agent_id, id: row.id}) SET n.lock = true RETURN n AS n, false AS edge
  UNION
  MATCH (n:Memory|ColdMemory {agent_id: $agent_id, id: row.id}) SET n.lock = true RETURN n AS n, false AS edge
  UNION
  MATCH (n:Summary {agent_id: $agent_id, id: row.id}) SET n.lock = true RETURN n AS n, false AS edge
  UNION
  MATCH (n:Entity|ColdEntity {agent_id: $agent_id, id: row.id}) SET n.lock = true RETURN n AS n, false AS edge
  UNION
  MATCH (n:Attribute {agent_id: $agent_id, id: row.id}) SET n.lock = true RETURN n AS n, false AS edge
  UNION
  MATCH (n:Aspect {agent_id: $agent_id, id: row.id}) SET n.lock = true RETURN n AS n, false AS edge
  UNION
  MATCH ()-[n:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->() SET n.lock = true RETURN n AS n, true AS edge
}
WITH row, n, edge
WHERE n.feedback = row.stood AND (row.own IS NULL OR row.before = CASE WHEN edge THEN n.strength ELSE n.weight END)
SET n.feedback = row.feedback, n.fadedThrough = row.through
FOREACH (_ IN CASE WHEN row.own IS NOT NULL THEN [1] ELSE [] END | SET n.unmoved = row.own)
FOREACH (_ IN CASE WHEN row.own IS NOT NULL AND edge THEN [1] ELSE [] END | SET n.strength = row.after)
FOREACH (_ IN CASE WHEN row.own IS NOT NULL AND NOT edge THEN [1] ELSE [] END | SET n.weight = row.after)
RETURN row.id AS id
