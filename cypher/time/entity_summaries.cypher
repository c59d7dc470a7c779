// purpose: summaries about an entity of talk that had ended by a day, as they were known on another, coarsest first
// params: agent_id STRING, id STRING, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: id STRING, kind STRING, content STRING, latestAt ZONED DATETIME
// mode: read
// why: a summary that was written anew since tells of what came later
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: $id})<-[:ABOUT]-(y:Summary)
WHERE y.archivedAt IS NULL AND coalesce(y.updatedAt, y.createdAt) <= $known_at AND y.latestAt <= $as_of
RETURN y.id AS id, y.kind AS kind, y.content AS content, y.latestAt AS latestAt
ORDER BY y.depth DESC, y.latestAt DESC, y.id
LIMIT $limit
