// purpose: what an id is the id of, by its own id first; then messages by the id they were brought with, and entities by name
// params: agent_id STRING, id STRING, sha256 STRING, canonical STRING, kind STRING
// returns: kind STRING, id STRING
// mode: read
CALL () {
  MATCH (s:Session {agent_id: $agent_id, id: $id}) RETURN 'session' AS kind, s.id AS id, 0 AS rank
  UNION
  MATCH (y:Summary {agent_id: $agent_id, id: $id}) RETURN 'summary' AS kind, y.id AS id, 0 AS rank
  UNION
  MATCH (m:Message {agent_id: $agent_id, id: $id}) RETURN 'message' AS kind, m.id AS id, 0 AS rank
  UNION
  MATCH (p:Payload {agent_id: $agent_id, sha256: $sha256}) RETURN 'payload' AS kind, p.sha256 AS id, 0 AS rank
  UNION
  MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id}) RETURN 'entity' AS kind, e.id AS id, 0 AS rank
  UNION
  MATCH (:MergedEntity {agent_id: $agent_id, id: $id})-[:MERGED_INTO]->{1,20}(e:Entity|ColdEntity) RETURN 'entity' AS kind, e.id AS id, 0 AS rank
  UNION
  MATCH (a:Aspect {agent_id: $agent_id, id: $id}) RETURN 'aspect' AS kind, a.id AS id, 0 AS rank
  UNION
  MATCH (t:Attribute {agent_id: $agent_id, id: $id}) RETURN 'attribute' AS kind, t.id AS id, 0 AS rank
  UNION
  MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: $id}) RETURN 'memory' AS kind, k.id AS id, 0 AS rank
  UNION
  MATCH (u:Supersession {agent_id: $agent_id, id: $id}) RETURN 'supersession' AS kind, u.id AS id, 0 AS rank
  UNION
  MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: $id}]->() RETURN 'dependency' AS kind, d.id AS id, 0 AS rank
  UNION
  MATCH (m:Message {agent_id: $agent_id, messageId: $id}) WITH m ORDER BY m.ingestedAt DESC LIMIT 1
  RETURN 'message' AS kind, m.id AS id, 1 AS rank
  UNION
  MATCH (:Name {agent_id: $agent_id, canonical: $canonical})-[:NAMES]->(e:Entity|ColdEntity) RETURN 'entity' AS kind, e.id AS id, 2 AS rank
}
WITH kind, id, rank
WHERE $kind IS NULL OR kind = $kind
RETURN kind, id
ORDER BY rank, CASE kind WHEN 'session' THEN 0 ELSE 1 END
LIMIT 1
