// purpose: all that hangs on an entity and must move when it is merged
// params: agent_id STRING, id STRING
// returns: names LIST<STRING>, aspects LIST<MAP>, facts LIST<MAP>, edges LIST<MAP>
// mode: read
MATCH (e:Entity {agent_id: $agent_id, id: $id})
RETURN COLLECT { MATCH (n:Name)-[:NAMES]->(e) RETURN n.canonical ORDER BY n.canonical } AS names,
  COLLECT { MATCH (e)-[:HAS_ASPECT]->(s:Aspect) RETURN s {.id, .canonicalName, .weight} ORDER BY s.id } AS aspects,
  COLLECT { MATCH (e)-[:HAS_ASPECT]->(s:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)
    WITH t, s ORDER BY s.id
    WITH t, collect(s.id) AS aspectIds
    RETURN t {.id, .content, active: t.activeKey IS NOT NULL, aspectIds: aspectIds} ORDER BY t.id } AS facts,
  COLLECT { MATCH (e)-[d:DEPENDS_ON]-()
    WITH DISTINCT d
    RETURN d {.id, .type, .confidence, .strength, active: d.activeKey IS NOT NULL, sourceId: startNode(d).id, targetId: endNode(d).id}
    ORDER BY d.id } AS edges
