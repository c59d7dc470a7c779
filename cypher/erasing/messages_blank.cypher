// purpose: erase what marked messages say; their place in the session stays
// params: agent_id STRING, ids LIST<STRING>, erasure_id STRING, sha256 STRING, now ZONED DATETIME
// returns: id STRING, payloads LIST<STRING>, entityIds LIST<STRING>
// mode: write
// why: the place stays so that ordinals have no gap, and a client that sends its history again does not bring the words back
// why: figures of the analysis stay, words that it noted go
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
WHERE m.erasing = $erasure_id
WITH m, COLLECT { MATCH (m)-[:HAS_PAYLOAD]->(p:Payload) RETURN p.sha256 } AS payloads,
  COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN e.id } AS entityIds
CALL (m) {
  MATCH (m)-[r:MENTIONS|HAS_PAYLOAD|REFERENCES|SIMILAR_TO|DERIVED_FROM]-()
  DELETE r
}
SET m = m {.agent_id, .id, .messageId, .sessionId, .ordinal, .role, .createdAt, .ingestedAt, .project, .source, .status, .archivedAt,
  .o1, .o2, .o3, .o4, .o5, .o6, .o7, .novelty, .noveltyRaw, .importance, .paradigmShift, .class, .analyser, .analysedAt}
SET m.content = '', m.contentKind = 'text', m.searchText = '', m.grams = '', m.sha256 = $sha256, m.contentChars = 0, m.tokens = 0,
  m.erasedAt = $now, m.erasing = $erasure_id
REMOVE m:Unembedded
RETURN m.id AS id, payloads, entityIds
