// purpose: summaries about an entity, coarse to fine, newest first; of talk that had ended by a day, as known on another
// params: agent_id STRING, id STRING, limit INTEGER, as_of ZONED DATETIME, known_at ZONED DATETIME
// returns: id STRING, kind STRING, content STRING, latestAt ZONED DATETIME
// mode: read
// variants: now | then
// why: a summary that was written anew since tells of what came later // [then]
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: $id})<-[:ABOUT]-(y:Summary)
WHERE y.archivedAt IS NULL // [now]
// WHERE y.archivedAt IS NULL AND coalesce(y.updatedAt, y.createdAt) <= $known_at AND y.latestAt <= $as_of // [then]
RETURN y.id AS id, y.kind AS kind, y.content AS content, y.latestAt AS latestAt
ORDER BY y.depth DESC, y.latestAt DESC, y.id
LIMIT $limit
