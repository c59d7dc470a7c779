// purpose: entities whose names resemble a text
// params: agent_id STRING, query STRING, limit INTEGER
// returns: id STRING, name STRING
// mode: read
CALL db.index.fulltext.queryNodes('entity_text', $query) YIELD node AS e, score
WHERE e.agent_id = $agent_id
RETURN e.id AS id, e.name AS name
ORDER BY score DESC, id
LIMIT $limit
