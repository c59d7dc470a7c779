// purpose: facts that hang on no aspect, and whether their entity is there
// params: agent_id STRING, limit INTEGER
// returns: id STRING, entityId STRING, aspect STRING, entity BOOLEAN
// mode: read
MATCH (t:Attribute)
WHERE t.agent_id = $agent_id AND t.id > '' AND NOT EXISTS { (:Aspect)-[:HAS_ATTRIBUTE]->(t) }
RETURN t.id AS id, t.entityId AS entityId, t.aspect AS aspect,
  EXISTS { (e:Entity|ColdEntity {agent_id: $agent_id, id: t.entityId}) } AS entity
ORDER BY id LIMIT $limit
