// purpose: the facts of entities that held on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING>, superseded BOOLEAN, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: attribute MAP, claims STRING, saidAt ZONED DATETIME
// mode: read
// fragments: fact_begun, fact_replaced, fact_with_end, fact_then
UNWIND $ids AS id
MATCH (e:Entity {agent_id: $agent_id, id: id})-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
WHERE fact_begun(t)
  AND ($superseded OR NOT fact_replaced(t))
WITH fact_with_end(t)
RETURN fact_then(t) AS attribute, t.claims AS claims, t.saidAt AS saidAt
ORDER BY t.entityId, t.aspect, t.validFrom, t.id
