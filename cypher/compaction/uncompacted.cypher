// purpose: sessions that outgrew the threshold of their context window, once what stands before their fresh tails is analysed or analysis has got no further for long
// params: fresh_tail INTEGER, before ZONED DATETIME, limit INTEGER
// returns: agent_id STRING, id STRING
// mode: read
// scope: system
MATCH (s:Uncompacted)
WITH s, coalesce(s.analysedThrough, 0) AS through
OPTIONAL MATCH (next:Message {agent_id: s.agent_id, sessionId: s.id, ordinal: through})
OPTIONAL MATCH (last:Message {agent_id: s.agent_id, sessionId: s.id, ordinal: through - 1})
WITH s, through, next, last
WHERE through >= s.nextOrdinal - $fresh_tail OR coalesce(next.ingestedAt < $before, true) AND coalesce(last.analysedAt < $before, true)
RETURN s.agent_id AS agent_id, s.id AS id
LIMIT $limit
