// purpose: edges found by walking from a thing to what it was made of, or to what was made of it, directly or through others, nearest first, within caps
// params: agent_id STRING, id STRING, node_cap INTEGER, edge_cap INTEGER
// returns: looked INTEGER, streamed INTEGER, near LIST<STRING>, far LIST<STRING>
// mode: read
// literal: depth 0..9
// variants: inputs | dependents
// why: every edge leads from what was made to what it was made of, so one direction is one question
// why: the shape of impact/walk, and for its reasons
CYPHER 25
CALL () {
  MATCH (n:Message|Memory|ColdMemory|Attribute|Summary {agent_id: $agent_id, id: $id}) RETURN n AS x
  UNION
  MATCH (n:Payload {agent_id: $agent_id, sha256: $id}) RETURN n AS x
}
MATCH (x)-[walk:DERIVED_FROM|COVERS|HAS_CHILD|HAS_PAYLOAD|SUPERSEDED_BY*0../*depth*/0]->(u) // [inputs]
// MATCH (x)<-[walk:DERIVED_FROM|COVERS|HAS_CHILD|HAS_PAYLOAD|SUPERSEDED_BY*0../*depth*/0]-(u) // [dependents]
WHERE all(r IN walk WHERE r.undoneAt IS NULL AND r.lost IS NULL)
WITH DISTINCT u LIMIT $node_cap
OPTIONAL MATCH (u)-[r:DERIVED_FROM|COVERS|HAS_CHILD|HAS_PAYLOAD|SUPERSEDED_BY WHERE r.undoneAt IS NULL AND r.lost IS NULL]->(v) // [inputs]
// OPTIONAL MATCH (u)<-[r:DERIVED_FROM|COVERS|HAS_CHILD|HAS_PAYLOAD|SUPERSEDED_BY WHERE r.undoneAt IS NULL AND r.lost IS NULL]-(v) // [dependents]
WITH u, v LIMIT $edge_cap
RETURN count(DISTINCT u) AS looked, count(*) AS streamed,
  collect(CASE WHEN v IS NOT NULL THEN coalesce(u.id, u.sha256) END) AS near, collect(coalesce(v.id, v.sha256)) AS far
