// purpose: what was made of something that is gone: facts without a statement, summaries over nothing or over less than they were, supersessions of facts that are not there
// params: agent_id STRING
// returns: kind STRING, number INTEGER, ids LIST<STRING>
// mode: read
CALL () {
  MATCH (t:Attribute)
  WHERE t.agent_id = $agent_id AND t.id > '' AND NOT EXISTS { (t)-[:DERIVED_FROM]->(:Memory|ColdMemory) }
  RETURN 'fact' AS kind, t.id AS id
  UNION ALL
  MATCH (y:Summary)
  WHERE y.agent_id = $agent_id AND y.id > '' AND (y.kind IN ['leaf', 'condensed', 'session', 'arc', 'epoch'] AND NOT EXISTS { (y)-[:COVERS|HAS_CHILD]->() }
    OR y.kind = 'leaf' AND COUNT { (y)-[:COVERS]->(:Message) } < y.through - y.first)
  RETURN 'summary' AS kind, y.id AS id
  UNION ALL
  MATCH (u:Supersession)
  WHERE u.agent_id = $agent_id AND u.createdAt IS NOT NULL AND NOT (EXISTS { MATCH (t:Attribute {agent_id: $agent_id, id: u.oldId}) }
    AND EXISTS { MATCH (t:Attribute {agent_id: $agent_id, id: u.newId}) })
  RETURN 'supersession' AS kind, u.id AS id
}
RETURN kind, count(id) AS number, collect(id)[..5] AS ids
ORDER BY kind
