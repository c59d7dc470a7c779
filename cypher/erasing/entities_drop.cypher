// purpose: erase entities with their names, aspects and edges: those named, and those of which nothing tells any more
// params: agent_id STRING, ids LIST<STRING>, entity_ids LIST<STRING>
// returns: id STRING, names LIST<STRING>, aspects INTEGER, edges INTEGER, merged LIST<STRING>
// mode: write
// why: what a person made or pinned stays, and so does what stands in a file
CALL () {
  UNWIND $ids AS id
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
  WHERE NOT coalesce(e.pinned, false) AND NOT coalesce(e.kept, false) AND e.file IS NULL AND NOT EXISTS { (e)<-[:MENTIONS]-() }
    AND NOT EXISTS { (e)-[:DEPENDS_ON]-() } AND NOT EXISTS { (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->() }
  RETURN e
  UNION
  UNWIND $entity_ids AS id
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
  RETURN e
}
WITH DISTINCT e
WITH e, e.id AS id, COLLECT { MATCH (e)<-[:NAMES]-(n:Name) RETURN n } AS names, COLLECT { MATCH (e)-[:HAS_ASPECT]->(a:Aspect) RETURN a } AS aspects,
  COUNT { (e)-[:DEPENDS_ON]-() } AS edges, COLLECT { MATCH (e)<-[:MERGED_INTO]-{1,20}(x:MergedEntity) RETURN DISTINCT x } AS merged
WITH e, id, names, aspects, edges, merged, [e.name] + [n IN names | n.surface] + [x IN merged | x.name] AS said, size(aspects) AS aspectCount,
  [x IN merged | x.id] AS mergedIds
FOREACH (n IN names | DETACH DELETE n)
FOREACH (a IN aspects | DETACH DELETE a)
FOREACH (x IN merged | DETACH DELETE x)
DETACH DELETE e
RETURN id, said AS names, aspectCount AS aspects, edges, mergedIds AS merged
