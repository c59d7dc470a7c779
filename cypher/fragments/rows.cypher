// What a reader is shown of a thing.
// fragment: aliases(entity)
COLLECT { MATCH (n:Name)-[:NAMES]->(entity) WHERE n.canonical <> entity.canonicalName RETURN n.surface ORDER BY n.surface }
// fragment: entity_short(entity)
entity {.id, .name, .type, .pinned, status: CASE WHEN entity:ColdEntity THEN 'cold' ELSE 'active' END, aliases: aliases(entity)}
// fragment: entity_counts(entity)
aliases: aliases(entity),
  aspectCount: COUNT { (entity)-[:HAS_ASPECT]->(:Aspect) },
  attributeCount: COUNT { (entity)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'attribute'}) },
  constraintCount: COUNT { (entity)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(:Attribute {status: 'active', kind: 'constraint'}) },
  dependencyCount: COUNT { (entity)-[d:DEPENDS_ON]-() WHERE d.activeKey IS NOT NULL }
// fragment: entity_counts_then(entity)
aliases: aliases(entity),
  aspectCount: COUNT { (entity)-[:HAS_ASPECT]->(s:Aspect) WHERE s.createdAt <= $known_at },
  attributeCount: COUNT { (entity)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {kind: 'attribute'}) WHERE fact_held(t) },
  constraintCount: COUNT { (entity)-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute {kind: 'constraint'}) WHERE fact_held(t) },
  dependencyCount: COUNT { (entity)-[d:DEPENDS_ON]-() WHERE edge_held(d) }
// fragment: fact_sources(fact)
memoryIds: COLLECT { MATCH (fact)-[:DERIVED_FROM]->(origin:Memory|ColdMemory) RETURN origin.id ORDER BY origin.createdAt, origin.id },
  messageIds: COLLECT { MATCH (fact)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
                        RETURN DISTINCT m.messageId ORDER BY m.messageId }
// What a fact claims; one that was stored without claims states something of no slot.
// fragment: fact_claim(fact)
slot: fact.slot, value: fact.value, scope: coalesce(fact.scope, []), polarity: coalesce(fact.polarity, 'positive'), mood: coalesce(fact.mood, 'stated')
// Behind fact_with_end.
// fragment: fact_then(fact)
fact {.id, .content, .kind, status: CASE WHEN over THEN 'superseded' ELSE 'active' END, .entityId, .aspect, .claimKey, .confidence, .importance,
  .pinned, .validFrom, validTo: validTo, .createdAt, retiredAt: CASE WHEN over THEN link.at END, supersededBy: CASE WHEN over THEN link.by END,
  .extractionLevel, fact_claim(fact),
  memoryIds: COLLECT { MATCH (fact)-[:DERIVED_FROM]->(k:Memory|ColdMemory) WHERE k.createdAt <= $known_at RETURN k.id ORDER BY k.createdAt, k.id },
  messageIds: COLLECT { MATCH (fact)-[:DERIVED_FROM]->(k:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message) WHERE k.createdAt <= $known_at
    RETURN DISTINCT m.messageId ORDER BY m.messageId }}
// fragment: memory_row(memory)
memory {.id, .content, .type, .status, .importance, .pinned, .project, .validFrom, .validTo, .createdAt,
  .supersededBy, .coldAt, .coldReason, .coldSourceId,
  attributeIds: COLLECT { MATCH (memory)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.id ORDER BY t.id },
  messageIds: COLLECT { MATCH (memory)-[:DERIVED_FROM]->(m:Message) RETURN DISTINCT m.messageId ORDER BY m.messageId },
  entityIds: COLLECT { MATCH (memory)-[:MENTIONS]->(e:Entity|ColdEntity) RETURN DISTINCT e.id ORDER BY e.id }}
// fragment: dependency_row(needing, edge, needed)
{id: edge.id, source: {id: needing.id, name: needing.name}, target: {id: needed.id, name: needed.name}, type: edge.type, confidence: edge.confidence,
  strength: edge.strength, reason: edge.reason, validFrom: edge.validFrom, validTo: edge.validTo,
  extractionLevel: coalesce(edge.extractionLevel, 1),
  messageIds: COLLECT { UNWIND edge.memoryIds AS memoryId
    MATCH (:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    RETURN DISTINCT m.messageId ORDER BY m.messageId }}
// fragment: dependency_then(needing, edge, needed)
{id: edge.id, source: {id: needing.id, name: needing.name}, target: {id: needed.id, name: needed.name}, type: edge.type, confidence: edge.confidence,
  strength: edge.strength, reason: edge.reason, validFrom: edge.validFrom, validTo: CASE WHEN edge.retiredAt <= $known_at THEN edge.validTo END,
  extractionLevel: coalesce(edge.extractionLevel, 1),
  messageIds: COLLECT { UNWIND edge.memoryIds AS memoryId
    MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: memoryId})-[:DERIVED_FROM]->(m:Message)
    WHERE k.createdAt <= $known_at
    RETURN DISTINCT m.messageId ORDER BY m.messageId }}
// The words of parts stand in searchText, behind the name; so the database cuts them as it cuts a plain text.
// fragment: message_row(message, offset)
message {.id, .messageId, .sessionId, .ordinal, .role, .toolCallId, .name, .sha256,
  createdAt: toString(message.createdAt), ingestedAt: toString(message.ingestedAt),
  content: CASE WHEN message.contentKind = 'text' THEN substring(message.content, offset, $chars)
    WHEN message.contentKind = 'null' THEN null
    ELSE substring(message.searchText, size(coalesce(message.name + ': ', '')) + offset, CASE WHEN message.contentChars < offset THEN 0
      WHEN message.contentChars - offset < $chars THEN message.contentChars - offset ELSE $chars END) END,
  contentChars: message.contentChars,
  parts: CASE WHEN message.contentKind = 'parts' AND offset = 0 AND message.contentChars <= $chars AND size(message.content) <= $extras THEN message.content END,
  toolCalls: CASE WHEN size(message.toolCalls) <= $extras THEN message.toolCalls END,
  metadata: CASE WHEN size(message.metadata) <= $extras THEN message.metadata END,
  held: [message.contentKind = 'parts', message.toolCalls IS NOT NULL, message.metadata IS NOT NULL],
  payloads: COLLECT { MATCH (message)-[:HAS_PAYLOAD]->(p:Payload) RETURN p {.sha256, .bytes, .mediaType} ORDER BY p.sha256 }}
// fragment: session_row(session)
session {.id, .project, .source, .startedAt, .endedAt, .contextWindow, .metadata, .messages, .tokens, .extractedThrough,
  .nextOrdinal, .continues, .archivedAt}
// fragment: successor(fact)
{id: fact.id, memoryIds: COLLECT { MATCH (fact)-[:DERIVED_FROM]->(w:Memory) RETURN w.id },
  messageIds: COLLECT { MATCH (fact)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(o:Message) RETURN o.id }}
// What holds until the facts of a message begin: those that these will end on a day still to come.
// fragment: until_now(message)
COLLECT { MATCH (message)<-[:DERIVED_FROM]-(:Memory)<-[:DERIVED_FROM]-(n:Attribute)<-[l:SUPERSEDED_BY]-(o:Attribute)
    WHERE l.undoneAt IS NULL AND n.status = 'active' AND $now < n.validFrom AND o.status = 'superseded' AND o.validFrom <= $now AND $now < o.validTo
    RETURN DISTINCT successor(o) }
// fragment: until_then(message)
COLLECT { MATCH (message)<-[:DERIVED_FROM]-(:Memory)<-[:DERIVED_FROM]-(n:Attribute)<-[l:SUPERSEDED_BY]-(o:Attribute)
    WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND $as_of < n.validFrom AND o.validFrom <= $as_of
    RETURN DISTINCT successor(o) }
// fragment: successors_now()
WHERE all(l IN links WHERE l.undoneAt IS NULL)
    RETURN DISTINCT successor(n)
// fragment: successors_then()
MATCH (t)-[links:SUPERSEDED_BY*1..10]->(n:Attribute)
    WHERE all(l IN links WHERE believed(l) AND l.validTo <= $as_of) AND NOT fact_replaced(n)
    RETURN DISTINCT successor(n)
// fragment: key_row(key)
key {.id, agentId: key.agent_id, .allAgents, .scope, .name, .createdAt, .expiresAt, .lastUsedAt, .revokedAt}
// fragment: compared_row(fact)
fact.id AS id, fact.entityId AS entityId, fact.aspect AS aspect, fact.content AS content, fact.kind AS kind, fact.claimKey AS claimKey, fact.claims AS claims,
  fact.confidence AS confidence, fact.explicit AS explicit, fact.pinned AS pinned, toString(fact.validFrom) AS validFrom, toString(fact.createdAt) AS createdAt, toString(fact.saidAt) AS saidAt,
  fact.sessionIds AS sessionIds
// fragment: turn_row(message)
message {.id, .messageId, .sessionId, .ordinal, .role, .novelty, .noveltyRaw, .importance, .paradigmShift,
  .class, .tags, .analyser, createdAt: toString(message.createdAt), analysedAt: toString(message.analysedAt),
  scores: [message.o1, message.o2, message.o3, message.o4, message.o5, message.o6, message.o7]}
// What a seal covers, with what it is held against. Times as numbers: the driver reads a number many times as fast.
// fragment: message_sealed(message)
.id, .role, .name, .sha256, .fingerprint, createdAt: message.createdAt.epochSeconds * 1000000 + message.createdAt.microsecond
// fragment: memory_sealed(memory)
memory {.id, .type, .content, .contentKey, .salt}
// fragment: fact_sealed(fact)
fact {.id, .entityId, .aspect, .kind, .content, .status, .activeKey, .coldKey, .salt, quarantined: fact:Quarantined}
// Behind an event, by moment and id. Two times of one moment are not equal where their zones are written differently, as those of a
// restored backup are.
// fragment: behind_event(event)
event.at >= $after - duration({microseconds: 1})
  AND (event.at.epochSeconds > $after.epochSeconds OR event.at.epochSeconds = $after.epochSeconds
    AND (event.at.microsecond > $after.microsecond OR event.at.microsecond = $after.microsecond AND event.id > $after_id))
