// purpose: what facts, or memories, were drawn from, what is indexed of them, what else says them, and where facts hang
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, texts LIST<STRING>, statements LIST<MAP>, hung LIST<MAP> // [facts]
// returns: id STRING, texts LIST<STRING> // [memories]
// mode: read
// variants: facts | memories
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id}) // [facts]
RETURN t.id AS id, [t.searchText] AS texts, // [facts]
  COLLECT { MATCH (t)-[:DERIVED_FROM]->(k:Memory|ColdMemory) // [facts]
    RETURN {content: k.content, contentKey: k.contentKey, said: COLLECT { MATCH (k)-[d:DERIVED_FROM]->(m:Message) // [facts]
      RETURN {content: m.content, sha256: m.sha256, text: substring(m.content, d.start, d.end - d.start)} }} } AS statements, // [facts]
  COLLECT { MATCH (t)<-[:HAS_ATTRIBUTE]-(s:Aspect) RETURN {name: s.name, entityId: s.entityId} } AS hung // [facts]
// MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: id}) // [memories]
// RETURN k.id AS id, [k.searchText] + COLLECT { MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.content } // [memories]
//   + COLLECT { MATCH (k)-[d:DERIVED_FROM]->(m:Message) RETURN substring(m.content, d.start, d.end - d.start) } AS texts // [memories]
