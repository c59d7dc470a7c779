// purpose: hang facts on the aspects that they name, of the entities that they name
// params: agent_id STRING, rows LIST<MAP>, now ZONED DATETIME
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: row.entityId})
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
MERGE (s:Aspect {agent_id: $agent_id, entityId: row.entityId, canonicalName: row.aspectCanonical})
ON CREATE SET s.id = row.aspectId, s.name = row.aspect, s.weight = 0.5, s.createdAt = $now
MERGE (e)-[:HAS_ASPECT]->(s)
MERGE (s)-[:HAS_ATTRIBUTE]->(t)
RETURN t.id AS id
