// purpose: history that is not chained yet, in order, and the hash to go on from
// params: agent_id STRING, before ZONED DATETIME, limit INTEGER
// returns: lastHash STRING, events LIST<MAP>
// mode: read
OPTIONAL MATCH (c:EventChain {agent_id: $agent_id})
WITH c.hash AS lastHash
RETURN lastHash, COLLECT {
  MATCH (e:Unsealed)
  WHERE e.agent_id = $agent_id AND e.at < $before
  RETURN e {.id, .kind, .subjectId, .actor, .at, .before, .after, .reason}
  ORDER BY e.at, e.id LIMIT $limit
} AS events
