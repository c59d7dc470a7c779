// purpose: summaries as hits, with what the statements in them came to, now or on a day, as was known on another
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: hits LIST<MAP>
// mode: read
// variants: now | then
// fragments: summary_said_now, summary_said_then
// why: one row: the driver reads one of many hits faster than many of one
// why: lines of a session, an arc or an epoch are statements; those of a compaction are sentences of its messages
// why: a summary is as old as the newest message it covers, not as its making
UNWIND $ids AS id
MATCH (y:Summary {agent_id: $agent_id, id: id})
RETURN collect({id: y.id, text: y.content, sessionId: y.sessionId, createdAt: toString(coalesce(y.latestAt, y.createdAt)), status: 'active', messageIds: [], successors: [],
  inOtherWords: coalesce(y.method = 'model', false),
  said: summary_said_now(y), // [now]
//   said: summary_said_then(y), // [then]
  entityIds: COLLECT { MATCH (y)-[:ABOUT]->(e:Entity) RETURN DISTINCT e.id ORDER BY e.id LIMIT 20 }}) AS hits
