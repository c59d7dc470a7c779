// purpose: sessions whose next message can be analysed: it has its vector, or, where there is no embedder, waited long enough
// params: vectors BOOLEAN, before ZONED DATETIME, limit INTEGER
// returns: agent_id STRING, sessionId STRING, through INTEGER
// mode: read
// scope: system
// why: the label holds only sessions with something to analyse; one whose next message waits for its vector must not hold up the others
MATCH (s:Unanalysed)
WHERE s.archivedAt IS NULL
OPTIONAL MATCH (m:Message {agent_id: s.agent_id, sessionId: s.id, ordinal: coalesce(s.analysedThrough, 0)})
WITH s, m
WHERE m IS NULL OR CASE WHEN $vectors THEN NOT m:Unembedded ELSE m.ingestedAt < $before END
RETURN s.agent_id AS agent_id, s.id AS sessionId, coalesce(s.analysedThrough, 0) AS through
LIMIT $limit
