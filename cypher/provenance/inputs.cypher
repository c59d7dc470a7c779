// purpose: what was made of something that is gone, or that says something else now than when it was read
// params: agent_id STRING
// returns: kind STRING, number INTEGER, ids LIST<STRING>
// mode: read
// variants: missing | changed
// why: an arc or epoch that is marked stale is made anew anyway // [changed]
CALL () {
  MATCH (t:Attribute) // [missing]
  WHERE t.agent_id = $agent_id AND t.id > '' AND NOT EXISTS { (t)-[:DERIVED_FROM]->(:Memory|ColdMemory) } // [missing]
  RETURN 'fact' AS kind, t.id AS id // [missing]
//   MATCH (k:Memory) // [changed]
//   WHERE k.agent_id = $agent_id AND k.id > '' AND EXISTS { MATCH (k)-[l:DERIVED_FROM]->(m:Message) WHERE l.lost IS NULL AND l.sha256 <> m.sha256 } // [changed]
//   RETURN 'statement' AS kind, k.id AS id // [changed]
  UNION ALL
  MATCH (y:Summary)
  WHERE y.agent_id = $agent_id AND y.id > '' AND (y.kind IN ['leaf', 'condensed', 'session', 'arc', 'epoch'] AND NOT EXISTS { (y)-[:COVERS|HAS_CHILD]->() } // [missing]
    OR y.kind = 'leaf' AND COUNT { (y)-[:COVERS]->(:Message) } < y.through - y.first) // [missing]
//   WHERE y.agent_id = $agent_id AND y.id > '' AND NOT coalesce(y.stale, false) AND EXISTS { MATCH (y)-[l:COVERS|HAS_CHILD]->(d) WHERE l.sha256 <> d.sha256 } // [changed]
  RETURN 'summary' AS kind, y.id AS id
  UNION ALL // [missing]
  MATCH (u:Supersession) // [missing]
  WHERE u.agent_id = $agent_id AND u.createdAt IS NOT NULL AND NOT (EXISTS { MATCH (t:Attribute {agent_id: $agent_id, id: u.oldId}) } // [missing]
    AND EXISTS { MATCH (t:Attribute {agent_id: $agent_id, id: u.newId}) }) // [missing]
  RETURN 'supersession' AS kind, u.id AS id // [missing]
}
RETURN kind, count(id) AS number, collect(id)[..5] AS ids
ORDER BY kind
