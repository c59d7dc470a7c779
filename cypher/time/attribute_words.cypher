// purpose: facts that match words and held on a day, as was known on another, best first
// params: agent_id STRING, query STRING, scan INTEGER, project STRING, session_id STRING, superseded BOOLEAN, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: id STRING, score FLOAT
// mode: read
// why: belief is on the links: what was undone by then ended nothing, and what is away since was there still
CALL db.index.fulltext.queryNodes('attribute_text', $query, {limit: $scan}) YIELD node AS n, score
WHERE n.agent_id = $agent_id
  AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND n.createdAt <= $known_at AND n.validFrom <= $as_of
  AND coalesce($as_of < CASE WHEN 'superseded' IN [n.status, n.coldStatus] THEN n.ownValidTo ELSE n.validTo END, true)
  AND (n.status IN ['active', 'superseded'] OR $known_at < coalesce(n.coldAt, n.retiredAt))
  AND ($superseded OR NOT EXISTS { (n)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of })
WITH n, score ORDER BY score DESC, n.id
LIMIT $limit
RETURN n.id AS id, score
ORDER BY score DESC, id
