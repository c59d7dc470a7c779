// purpose: what of that which is given good feedback is in the cold tier, and what to bring back for it
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, kind STRING
// mode: read
// why: a fact that went with its memory or its entity comes back with that; one that a person deleted is not in the cold tier
UNWIND $ids AS asked
CALL (asked) {
  MATCH (n:ColdEntity {agent_id: $agent_id, id: asked}) RETURN n.id AS id, 'entity' AS kind
  UNION
  MATCH (n:ColdMemory {agent_id: $agent_id, id: asked}) RETURN n.id AS id, 'memory' AS kind
  UNION
  MATCH (n:Attribute {agent_id: $agent_id, id: asked}) WHERE n.status = 'cold' AND n.coldStatus IS NOT NULL RETURN n.id AS id, 'attribute' AS kind
  UNION
  MATCH (t:Attribute {agent_id: $agent_id, id: asked}) WHERE t.status = 'cold' AND t.coldStatus IS NULL
  MATCH (n:ColdEntity {agent_id: $agent_id, id: t.coldSourceId}) RETURN n.id AS id, 'entity' AS kind
  UNION
  MATCH (t:Attribute {agent_id: $agent_id, id: asked}) WHERE t.status = 'cold' AND t.coldStatus IS NULL
  MATCH (n:ColdMemory {agent_id: $agent_id, id: t.coldSourceId}) RETURN n.id AS id, 'memory' AS kind
}
RETURN DISTINCT id, kind
ORDER BY kind, id
