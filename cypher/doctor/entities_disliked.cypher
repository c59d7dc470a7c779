// purpose: entities of which the last feedbacks, on them, their aspects or their facts, were all bad
// params: agent_id STRING, last INTEGER, limit INTEGER
// returns: id STRING
// mode: read
// why: targetId and at bind the index by which feedback is read
// why: what was given in one request is one feedback, and a good score in it speaks for the entity
MATCH (f:Feedback {agent_id: $agent_id})
WHERE f.targetId IS NOT NULL AND f.at IS NOT NULL AND f.kind IN ['entity', 'aspect', 'attribute']
CALL (f) {
  MATCH (e:Entity {agent_id: $agent_id, id: f.targetId}) RETURN e
  UNION
  MATCH (n:Aspect {agent_id: $agent_id, id: f.targetId})
  MATCH (e:Entity {agent_id: $agent_id, id: n.entityId}) RETURN e
  UNION
  MATCH (n:Attribute {agent_id: $agent_id, id: f.targetId})
  MATCH (e:Entity {agent_id: $agent_id, id: n.entityId}) RETURN e
}
WITH e, f.at AS at, max(f.score) AS best
ORDER BY at DESC
WITH e, collect(best)[..$last] AS lasts
WHERE size(lasts) = $last AND all(one IN lasts WHERE one < 0)
RETURN e.id AS id
ORDER BY id
LIMIT $limit
