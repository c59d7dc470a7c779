// purpose: sessions that outgrew the threshold of their context window, once what stands before their fresh tails is analysed or analysis has got no further for long
// params: fresh_tail INTEGER, before ZONED DATETIME, limit INTEGER
// returns: agent_id STRING, id STRING
// mode: read
// scope: system
// why: the hints, because the agent is not bound, and a plan made while the graph is empty takes any index
MATCH (s:Uncompacted)
WITH s, coalesce(s.analysedThrough, 0) AS through
OPTIONAL MATCH (next:Message {agent_id: s.agent_id, sessionId: s.id, ordinal: through})
USING INDEX SEEK next:Message(agent_id, sessionId, ordinal)
OPTIONAL MATCH (last:Message {agent_id: s.agent_id, sessionId: s.id, ordinal: through - 1})
USING INDEX SEEK last:Message(agent_id, sessionId, ordinal)
WITH s, through, next, last
WHERE through >= s.nextOrdinal - $fresh_tail OR coalesce(next.ingestedAt < $before, true) AND coalesce(last.analysedAt < $before, true)
RETURN s.agent_id AS agent_id, s.id AS id
LIMIT $limit
