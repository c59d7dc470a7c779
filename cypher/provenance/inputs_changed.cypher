// purpose: what was made of something that says something else now than when it was read: statements of messages, summaries of messages and of summaries
// params: agent_id STRING
// returns: kind STRING, number INTEGER, ids LIST<STRING>
// mode: read
// why: an arc or epoch that is marked stale is made anew anyway
CALL () {
  MATCH (k:Memory)
  WHERE k.agent_id = $agent_id AND k.id > '' AND EXISTS { MATCH (k)-[l:DERIVED_FROM]->(m:Message) WHERE l.lost IS NULL AND l.sha256 <> m.sha256 }
  RETURN 'statement' AS kind, k.id AS id
  UNION ALL
  MATCH (y:Summary)
  WHERE y.agent_id = $agent_id AND y.id > '' AND NOT coalesce(y.stale, false) AND EXISTS { MATCH (y)-[l:COVERS|HAS_CHILD]->(d) WHERE l.sha256 <> d.sha256 }
  RETURN 'summary' AS kind, y.id AS id
}
RETURN kind, count(id) AS number, collect(id)[..5] AS ids
ORDER BY kind
