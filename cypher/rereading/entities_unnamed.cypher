// purpose: entities that a session's messages before an ordinal name, and of which nothing else speaks but what is going
// params: agent_id STRING, session_id STRING, through INTEGER, memory_ids LIST<STRING>, attribute_ids LIST<STRING>, edge_ids LIST<STRING>
// returns: id STRING, name STRING
// mode: read
// why: never one that is pinned, or that a person made, changed or restored
MATCH (:Session {agent_id: $agent_id, id: $session_id})-[:HAS_MESSAGE]->(m:Message)
WHERE m.ordinal < $through
WITH DISTINCT m
MATCH (m)-[:MENTIONS]->(e:Entity)
WITH DISTINCT e
WHERE NOT e.pinned AND NOT coalesce(e.kept, false)
  AND NOT EXISTS { MATCH (e)<-[r:MENTIONS]-(o:Message) WHERE r.lost IS NULL AND (o.sessionId <> $session_id OR o.ordinal >= $through) }
  AND NOT EXISTS { MATCH (e)<-[:MENTIONS]-(k:Memory) WHERE NOT k.id IN $memory_ids }
  AND NOT EXISTS { MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
    WHERE t.status = 'superseded' OR (t.status = 'active' AND NOT t.id IN $attribute_ids
      AND EXISTS { MATCH (t)-[:DERIVED_FROM]->(k:Memory) WHERE NOT k.id IN $memory_ids }) }
  AND NOT EXISTS { MATCH (e)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL AND NOT d.id IN $edge_ids }
RETURN e.id AS id, e.name AS name
ORDER BY id
