// purpose: erasures: an agent's that are done, for the chain of its history, or all there are, or those that began and did not end
// params: agent_id STRING, now ZONED DATETIME
// returns: id STRING, eventIds LIST<STRING>, contentIds LIST<STRING> // [agent]
// returns: agent_id STRING, erasure MAP // [all, unfinished]
// mode: read
// scope: system // [all, unfinished]
// variants: agent | all | unfinished
MATCH (x:Erasure) // [agent, all]
WHERE x.agent_id = $agent_id // [agent]
// MATCH (x:Erasing) // [unfinished]
// WHERE x.until < $now // [unfinished]
RETURN x.id AS id, coalesce(x.eventIds, []) AS eventIds, // [agent]
  coalesce(x.messageIds, []) + coalesce(x.memoryIds, []) + coalesce(x.factIds, []) AS contentIds // [agent]
// WITH x, x {.*} AS erasure // [all, unfinished]
// RETURN x.agent_id AS agent_id, erasure // [all, unfinished]
ORDER BY id // [agent]
// ORDER BY erasure.createdAt // [all, unfinished]
