// purpose: entities of which several facts are active, newest first, behind an id
// params: agent_id STRING, before STRING, limit INTEGER
// returns: id STRING, several BOOLEAN
// mode: read
// why: read off the index in its order; where fewer than two facts are active there is nothing to compare
MATCH (e:Entity)
WHERE e.agent_id = $agent_id AND e.id < $before
WITH e ORDER BY e.agent_id DESC, e.id DESC
LIMIT $limit
RETURN e.id AS id, EXISTS {
  MATCH (t:Attribute {agent_id: $agent_id, entityId: e.id, status: 'active'})
  MATCH (o:Attribute {agent_id: $agent_id, entityId: e.id, status: 'active'})
  WHERE o <> t } AS several
