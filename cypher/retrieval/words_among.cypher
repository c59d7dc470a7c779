// purpose: messages that match words, of people and of those who talk with them
// params: agent_id STRING, people LIST<STRING>, query STRING, scan INTEGER, limit INTEGER, project STRING, session_id STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, known_at ZONED DATETIME
// returns: id STRING
// mode: read
// why: an index knows no sessions, so more is asked of it than is wanted; who talks is looked for close by, since a session may be long
CYPHER 25
CALL db.index.fulltext.queryNodes('message_text', $query, {limit: $scan}) YIELD node AS n, score
WITH n, score
WHERE n.agent_id = $agent_id AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND ($role IS NULL OR n.role = $role) AND ($source IS NULL OR n.source = $source)
  AND ($from IS NULL OR n.createdAt >= $from) AND ($to IS NULL OR n.createdAt < $to) AND ($known_at IS NULL OR n.ingestedAt <= $known_at)
  AND EXISTS { MATCH (o:Message {agent_id: $agent_id, sessionId: n.sessionId}) WHERE n.ordinal - 3 <= o.ordinal <= n.ordinal + 3 AND o.name IN $people }
RETURN n.id AS id ORDER BY score DESC, id LIMIT $limit
