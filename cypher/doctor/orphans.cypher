// purpose: nodes that nothing leads to
// params: agent_id STRING
// returns: label STRING, number INTEGER, ids LIST<STRING>
// mode: read
CALL () {
  MATCH (n:Message)
  WHERE n.agent_id = $agent_id AND n.id > '' AND NOT EXISTS { (:Session)-[:HAS_MESSAGE]->(n) }
  RETURN 'Message' AS label, n.id AS id
  UNION ALL
  MATCH (n:Attribute)
  WHERE n.agent_id = $agent_id AND n.id > '' AND NOT EXISTS { (:Aspect)-[:HAS_ATTRIBUTE]->(n) }
  RETURN 'Attribute' AS label, n.id AS id
  UNION ALL
  MATCH (n:Memory)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.sessionId IS NOT NULL AND NOT EXISTS { (n)-[:DERIVED_FROM]->() }
  RETURN 'Memory' AS label, n.id AS id
  UNION ALL
  MATCH (n:Entity)
  WHERE n.agent_id = $agent_id AND n.id > '' AND NOT EXISTS { (:Name)-[:NAMES]->(n) }
  RETURN 'Entity' AS label, n.id AS id
  UNION ALL
  MATCH (n:Summary {kind: 'session'})
  WHERE n.agent_id = $agent_id AND n.id > '' AND NOT EXISTS { (:Session)-[:HAS_SUMMARY]->(n)-[:COVERS]->(:Message) }
  RETURN 'Summary' AS label, n.id AS id
  UNION ALL
  MATCH (n:Summary)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.kind IN ['leaf', 'condensed']
    AND (NOT EXISTS { (:Session)-[:HAS_COMPACTION]->(n) } OR (n.kind = 'condensed' AND NOT EXISTS { (n)-[:HAS_CHILD]->(:Summary) })
      OR (n.kind = 'leaf' AND COUNT { (n)-[:COVERS]->(:Message) } <> n.through - n.first))
  RETURN 'Summary' AS label, n.id AS id
}
RETURN label, count(id) AS number, collect(id)[..5] AS ids
ORDER BY label
