// purpose: the analysed messages of a session, in order: behind an ordinal, with their evidence where it is asked for, or a stretch, as later ones are held against them
// params: agent_id STRING, session_id STRING, after INTEGER, explain BOOLEAN, limit INTEGER, from_ordinal INTEGER, to_ordinal INTEGER, text_from INTEGER, chars INTEGER, calls INTEGER
// returns: turn MAP
// mode: read
// variants: page | before
// why: times as text, which the driver reads 100 times as fast // [page]
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal > $after AND m.analysedAt IS NOT NULL // [page]
// WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal // [before]
WITH m ORDER BY m.ordinal
LIMIT $limit
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .novelty, .noveltyRaw, .importance, .paradigmShift, .class, .tags, .analyser, // [page]
  createdAt: toString(m.createdAt), analysedAt: toString(m.analysedAt), scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7], // [page]
  evidence: CASE WHEN $explain THEN m.evidence END, // [page]
  references: CASE WHEN $explain THEN COLLECT { MATCH (m)-[r:REFERENCES]->(o:Message) // [page]
    RETURN {id: o.id, messageId: o.messageId, ordinal: o.ordinal, weight: r.weight, how: r.how} ORDER BY r.weight DESC, o.ordinal } END, // [page]
  before: CASE WHEN $explain THEN COLLECT { MATCH (m)<-[:NEXT]-(o:Message) // [page]
    RETURN {id: o.id, messageId: o.messageId, ordinal: o.ordinal} } END, // [page]
  similar: CASE WHEN $explain THEN COLLECT { MATCH (m)-[r:SIMILAR_TO]->(o:Message) // [page]
    RETURN {id: o.id, messageId: o.messageId, ordinal: o.ordinal, weight: r.weight} ORDER BY r.weight DESC, o.ordinal } END} AS turn // [page]
// WITH m, substring(m.searchText, size(coalesce(m.name + ': ', '')), $chars) AS text // [before]
// RETURN {id: m.id, messageId: m.messageId, ordinal: m.ordinal, importance: m.importance, // [before]
//   scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7], vector: CASE WHEN trim(text) <> '' THEN m.embedding END, // [before]
//   role: m.role, text: CASE WHEN m.ordinal >= $text_from THEN text END, // [before]
//   calls: CASE WHEN m.ordinal >= $text_from THEN substring(m.toolCalls, 0, $calls) END} AS turn // [before]
ORDER BY turn.ordinal
