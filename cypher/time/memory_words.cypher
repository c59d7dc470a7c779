// purpose: statements that match words and held on a day, as was known on another, best first
// params: agent_id STRING, query STRING, scan INTEGER, project STRING, session_id STRING, superseded BOOLEAN, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: id STRING, score FLOAT
// mode: read
// why: a statement holds while one of its facts does, and one without facts until another took its place
CALL db.index.fulltext.queryNodes('memory_text', $query, {limit: $scan}) YIELD node AS n, score
WHERE n.agent_id = $agent_id
  AND ($project IS NULL OR n.project = $project) AND ($session_id IS NULL OR n.sessionId = $session_id)
  AND n.createdAt <= $known_at AND n.validFrom <= $as_of
  AND coalesce($as_of < CASE WHEN 'superseded' IN [n.status, n.coldStatus] THEN n.ownValidTo ELSE n.validTo END, true)
  AND ($superseded OR (NOT (EXISTS { (n)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at }
    AND NOT EXISTS { (n)<-[:DERIVED_FROM]-(t:Attribute) WHERE t.createdAt <= $known_at AND t.validFrom <= $as_of
    AND coalesce($as_of < CASE WHEN 'superseded' IN [t.status, t.coldStatus] THEN t.ownValidTo ELSE t.validTo END, true)
    AND (t.status IN ['active', 'superseded'] OR $known_at < coalesce(t.coldAt, t.retiredAt))
    AND (NOT EXISTS { (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.at <= $known_at AND coalesce($known_at < l.undoneAt, true) AND l.validTo <= $as_of }) })
    AND NOT EXISTS { MATCH (r:Memory|ColdMemory {agent_id: $agent_id, id: n.supersededBy}) WHERE r.createdAt <= $known_at AND r.validFrom <= $as_of }))
WITH n, score ORDER BY score DESC, n.id
LIMIT $limit
RETURN n.id AS id, score
ORDER BY score DESC, id
