// purpose: record that an erasure has begun, that it goes on, or what it did
// params: agent_id STRING, id STRING, kind STRING, session_key STRING, message_ids LIST<STRING>, memory_ids LIST<STRING>, fact_ids LIST<STRING>, entity_ids LIST<STRING>, payloads LIST<STRING>, event_ids LIST<STRING>, receipt STRING, until ZONED DATETIME, now ZONED DATETIME
// returns: id STRING
// mode: write
// variants: begin | renew | finish
// why: while it has the label Erasing no job of the agent is given out
// why: it holds ids and hashes, and no words: with it the same can be erased again from an older backup
MERGE (x:Erasure {agent_id: $agent_id, id: $id}) // [begin]
SET x.kind = $kind, x.sessionKey = $session_key, x.messageIds = $message_ids, x.memoryIds = $memory_ids, x.factIds = $fact_ids, x.entityIds = $entity_ids, // [begin]
  x.payloads = $payloads, x.createdAt = coalesce(x.createdAt, $now), x.status = 'running', x.until = $until // [begin]
SET x:Erasing // [begin]
// MATCH (x:Erasure {agent_id: $agent_id, id: $id}) // [renew, finish]
// SET x.until = $until // [renew]
// SET x.status = 'done', x.until = null, x.doneAt = $now, x.messageIds = $message_ids, x.memoryIds = $memory_ids, x.factIds = $fact_ids, x.entityIds = $entity_ids, x.payloads = $payloads, // [finish]
//   x.eventIds = $event_ids, x.receipt = $receipt // [finish]
// REMOVE x:Erasing // [finish]
RETURN x.id AS id
