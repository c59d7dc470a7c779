// purpose: summaries about an entity, coarse to fine, newest first
// params: agent_id STRING, id STRING, limit INTEGER
// returns: id STRING, kind STRING, content STRING, latestAt ZONED DATETIME
// mode: read
MATCH (:Entity|ColdEntity {agent_id: $agent_id, id: $id})<-[:ABOUT]-(y:Summary)
WHERE y.archivedAt IS NULL
RETURN y.id AS id, y.kind AS kind, y.content AS content, y.latestAt AS latestAt
ORDER BY y.depth DESC, y.latestAt DESC, y.id
LIMIT $limit
