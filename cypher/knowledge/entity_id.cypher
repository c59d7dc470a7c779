// purpose: the id of an entity by its id or by one of its names; one that was merged is the entity it became
// params: agent_id STRING, id STRING, canonical STRING
// returns: id STRING, canonicalName STRING, createdAt ZONED DATETIME
// mode: read
CALL () {
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id}) RETURN e.id AS id, e.canonicalName AS canonicalName, e.createdAt AS createdAt, 0 AS rank
  UNION
  MATCH (:MergedEntity {agent_id: $agent_id, id: $id})-[:MERGED_INTO]->{1,20}(e:Entity|ColdEntity)
  RETURN e.id AS id, e.canonicalName AS canonicalName, e.createdAt AS createdAt, 1 AS rank
  UNION
  MATCH (:Name {agent_id: $agent_id, canonical: $canonical})-[:NAMES]->(e:Entity|ColdEntity) RETURN e.id AS id, e.canonicalName AS canonicalName, e.createdAt AS createdAt, 2 AS rank
}
RETURN id, canonicalName, createdAt
ORDER BY rank
LIMIT 1
