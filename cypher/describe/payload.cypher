// purpose: what a payload is, and which messages it came with
// params: agent_id STRING, id STRING, children INTEGER
// returns: found MAP
// mode: read
MATCH (p:Payload {agent_id: $agent_id, sha256: $id})
RETURN {
  preview: '',
  metadata: p {.bytes, .mediaType, .createdAt},
  counts: {bytes: p.bytes, messages: COUNT { (p)<-[:HAS_PAYLOAD]-(:Message) }},
  depths: [],
  childCount: COUNT { (p)<-[:HAS_PAYLOAD]-(:Message) },
  children: COLLECT {
    MATCH (p)<-[:HAS_PAYLOAD]-(d:Message)
    RETURN {id: d.id, kind: 'message', preview: left(d.searchText, CASE WHEN d.contentChars < 120 THEN d.contentChars + size(coalesce(d.name + ': ', '')) ELSE 120 END)}
    ORDER BY d.id LIMIT $children
  }
} AS found
