// purpose: the analysed messages of a session behind an ordinal, in order; with their evidence and edges where they are asked for
// params: agent_id STRING, session_id STRING, after INTEGER, explain BOOLEAN, limit INTEGER
// returns: turn MAP
// mode: read
// why: times as text, which the driver reads 100 times as fast
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal > $after AND m.analysedAt IS NOT NULL
WITH m ORDER BY m.ordinal
LIMIT $limit
RETURN m {.id, .messageId, .sessionId, .ordinal, .role, .novelty, .noveltyRaw, .importance, .paradigmShift, .class, .tags, .analyser,
  createdAt: toString(m.createdAt), analysedAt: toString(m.analysedAt), scores: [m.o1, m.o2, m.o3, m.o4, m.o5, m.o6, m.o7],
  evidence: CASE WHEN $explain THEN m.evidence END,
  references: CASE WHEN $explain THEN COLLECT { MATCH (m)-[r:REFERENCES]->(o:Message)
    RETURN {id: o.id, messageId: o.messageId, ordinal: o.ordinal, weight: r.weight, how: r.how} ORDER BY r.weight DESC, o.ordinal } END,
  before: CASE WHEN $explain THEN COLLECT { MATCH (m)<-[:NEXT]-(o:Message)
    RETURN {id: o.id, messageId: o.messageId, ordinal: o.ordinal} } END,
  similar: CASE WHEN $explain THEN COLLECT { MATCH (m)-[r:SIMILAR_TO]->(o:Message)
    RETURN {id: o.id, messageId: o.messageId, ordinal: o.ordinal, weight: r.weight} ORDER BY r.weight DESC, o.ordinal } END} AS turn
ORDER BY turn.ordinal
