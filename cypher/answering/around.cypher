// purpose: messages and those said right before and right behind them, as was known at a time
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME, chars INTEGER
// returns: message MAP
// mode: read
// variants: now | then
// fragments: facts_now, facts_then
// why: an answer mostly stands right behind its question
UNWIND $ids AS id
MATCH (m:Message {agent_id: $agent_id, id: id})
UNWIND [m.ordinal - 1, m.ordinal, m.ordinal + 1] AS ordinal
MATCH (n:Message {agent_id: $agent_id, sessionId: m.sessionId, ordinal: ordinal})
WHERE n.ingestedAt <= $known_at
WITH DISTINCT n
RETURN n {.id, .messageId, .sessionId, .ordinal, .role, .name, createdAt: toString(n.createdAt),
  said: COLLECT { MATCH (n)<-[d:DERIVED_FROM]-(k:Memory|ColdMemory) RETURN [null, d.start, d.end, facts_now(k)] ORDER BY d.start, d.end, k.id LIMIT 200 }, // [now]
//   said: COLLECT { MATCH (n)<-[d:DERIVED_FROM]-(k:Memory|ColdMemory) RETURN [null, d.start, d.end, facts_then(k)] ORDER BY d.start, d.end, k.id LIMIT 200 }, // [then]
  text: left(CASE n.contentKind WHEN 'text' THEN n.content WHEN 'null' THEN ''
    ELSE substring(n.searchText, size(coalesce(n.name + ': ', '')), n.contentChars) END, $chars)} AS message
