// purpose: what a message is: its beginning, its payloads, and what was drawn from it
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
// why: the words of parts stand in searchText, behind the name
MATCH (m:Message {agent_id: $agent_id, id: $id})
RETURN {
  chars: m.contentChars,
  preview: CASE WHEN m.contentKind = 'text' THEN left(m.content, $chars)
    ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), CASE WHEN m.contentChars < $chars THEN m.contentChars ELSE $chars END) END,
  metadata: m {.messageId, .sessionId, .ordinal, .role, .name, .createdAt, .ingestedAt, .sha256, .tokens, .contentKind,
    storedChars: size(m.content)},
  counts: {
    payloads: COUNT { (m)-[:HAS_PAYLOAD]->(:Payload) },
    memories: COUNT { MATCH (m)<-[:DERIVED_FROM]-(k:Memory|ColdMemory) RETURN DISTINCT k },
    entities: COUNT { MATCH (m)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN DISTINCT e },
    summaries: COUNT { (m)<-[:COVERS]-(:Summary) }},
  depths: [],
  childCount: COUNT { (m)-[:HAS_PAYLOAD]->(:Payload) } + COUNT { MATCH (m)<-[:DERIVED_FROM]-(k:Memory|ColdMemory) RETURN DISTINCT k },
  children: COLLECT {
    MATCH (m)-[:HAS_PAYLOAD]->(p:Payload)
    RETURN {id: p.sha256, kind: 'payload', preview: p.mediaType + ', ' + p.bytes + ' bytes'} ORDER BY p.sha256 LIMIT $children
  } + COLLECT {
    MATCH (m)<-[:DERIVED_FROM]-(k:Memory|ColdMemory) WITH DISTINCT k
    RETURN {id: k.id, kind: 'memory', preview: left(k.content, 120)} ORDER BY k.id LIMIT $children
  }
} AS found
