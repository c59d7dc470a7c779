// purpose: what a thing was made of, directly or through others
// params: agent_id STRING, id STRING, after_depth INTEGER, after STRING, limit INTEGER
// returns: step MAP
// mode: read
// literal: depth 1..10
// why: every edge leads from what was made to what it was made of, so one direction is one question
// why: of each thing one shortest path is enough
CYPHER 25
CALL () {
  MATCH (n:Message|Memory|ColdMemory|Attribute|Summary {agent_id: $agent_id, id: $id}) RETURN n AS x
  UNION
  MATCH (n:Payload {agent_id: $agent_id, sha256: $id}) RETURN n AS x
}
MATCH p = ANY SHORTEST (x)-[r:DERIVED_FROM|COVERS|HAS_CHILD|HAS_PAYLOAD|SUPERSEDED_BY WHERE r.undoneAt IS NULL AND r.lost IS NULL]->{1,/*depth*/0}(d)
WITH d, length(p) AS depth, relationships(p)[-1] AS last, coalesce(d.id, d.sha256) AS id
WHERE depth > $after_depth OR depth = $after_depth AND id > $after
ORDER BY depth, id LIMIT $limit
RETURN {id: id, depth: depth, via: type(last), by: coalesce(last.by, startNode(last).method, CASE WHEN last.mergeId IS NOT NULL THEN 'merge' END),
  kind: CASE WHEN d:Message THEN 'message' WHEN d:Payload THEN 'payload' WHEN d:Attribute THEN 'attribute' WHEN d:Summary THEN 'summary' ELSE 'memory' END,
  changed: last.sha256 IS NOT NULL AND endNode(last).sha256 <> last.sha256} AS step
