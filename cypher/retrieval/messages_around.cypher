// purpose: messages and the two said before and the one behind each, or that they refer to, as a question is compared with them
// params: agent_id STRING, ids LIST<STRING>, vector LIST<FLOAT>, chars INTEGER, project STRING, session_id STRING, role STRING, source STRING, from ZONED DATETIME, to ZONED DATETIME, known_at ZONED DATETIME
// returns: passages LIST<LIST>
// mode: read
// why: what is said around a message tells what it is about, also where a filter keeps it from being answered: such is not eligible
// why: one row with times as numbers: the driver takes longer over hundreds of rows and times than the search itself
UNWIND $ids AS id
MATCH (f:Message {agent_id: $agent_id, id: id})
WITH collect(f) AS found
UNWIND found + COLLECT { UNWIND found AS f MATCH (f)-[:REFERENCES]-(o:Message) RETURN DISTINCT o LIMIT 50 } AS f
MATCH (n:Message {agent_id: $agent_id, sessionId: f.sessionId})
WHERE f.ordinal - 2 <= n.ordinal <= f.ordinal + 1 AND n.archivedAt IS NULL AND ($known_at IS NULL OR n.ingestedAt <= $known_at)
WITH DISTINCT n, n.sessionId AS session, n.ordinal AS place
RETURN collect([n.id, left(n.searchText, $chars), size(n.searchText), CASE WHEN n.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(n.embedding, $vector) END,
  session, place, n.name, n.createdAt.epochMillis, coalesce(n.feedback, 0.0),
  ($project IS NULL OR coalesce(n.project = $project, false)) AND ($session_id IS NULL OR session = $session_id)
  AND ($role IS NULL OR coalesce(n.role = $role, false)) AND ($source IS NULL OR coalesce(n.source = $source, false))
  AND ($from IS NULL OR n.createdAt >= $from) AND ($to IS NULL OR n.createdAt < $to)]) AS passages
