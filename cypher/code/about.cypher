// purpose: what was decided and said about entities: statements and passages, facts, messages, newest first
// params: agent_id STRING, ids LIST<STRING>, limit INTEGER
// returns: entityId STRING, entity STRING, kind STRING, id STRING, type STRING, text STRING, file STRING, line INTEGER, at ZONED DATETIME
// mode: read
UNWIND $ids AS entityId
MATCH (e:Entity {agent_id: $agent_id, id: entityId})
CALL (e) {
  MATCH (e)<-[:MENTIONS]-(k:Memory)
  RETURN 'memory' AS kind, k.id AS id, k.type AS type, k.content AS content, k.file AS file, k.line AS line, k.createdAt AS at
  ORDER BY at DESC, id LIMIT $limit
  UNION ALL
  MATCH (e)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {status: 'active'})
  RETURN 'attribute' AS kind, t.id AS id, t.kind AS type, t.content AS content, null AS file, null AS line, t.createdAt AS at
  ORDER BY at DESC, id LIMIT $limit
  UNION ALL
  MATCH (e)<-[:MENTIONS]-(m:Message)
  WHERE m.archivedAt IS NULL
  RETURN DISTINCT 'message' AS kind, m.id AS id, m.role AS type, m.content AS content, null AS file, null AS line, m.createdAt AS at
  ORDER BY at DESC, id LIMIT $limit
}
RETURN e.id AS entityId, e.name AS entity, kind, id, type, left(content, 400) AS text, file, line, at
ORDER BY at DESC, id
