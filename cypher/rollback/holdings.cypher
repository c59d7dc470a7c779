// purpose: facts and edges of an entity, whatever became of them, and since when it is known under any of its ids
// params: agent_id STRING, id STRING
// returns: name STRING, cold BOOLEAN, knownSince ZONED DATETIME, factIds LIST<STRING>, edgeIds LIST<STRING>
// mode: read
// why: a fact's status is always there; asking for it is what lets the index on (agent_id, entityId, status) serve
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})
RETURN e.name AS name, e:ColdEntity AS cold,
  head(COLLECT {
    CALL (e) {
      RETURN e.createdAt AS since
      UNION
      MATCH (m:MergedEntity)-[:MERGED_INTO]->{1,20}(e) RETURN m.createdAt AS since
    }
    RETURN since ORDER BY since LIMIT 1 }) AS knownSince,
  COLLECT { MATCH (t:Attribute {agent_id: $agent_id, entityId: e.id}) WHERE t.status IS NOT NULL RETURN t.id ORDER BY t.id } AS factIds,
  COLLECT { MATCH (e)-[d:DEPENDS_ON]-() RETURN DISTINCT d.id AS id ORDER BY id } AS edgeIds
