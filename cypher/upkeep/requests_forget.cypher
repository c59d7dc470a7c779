// purpose: drop idempotency keys that are past their time
// params: oldest ZONED DATETIME, limit INTEGER
// returns: dropped INTEGER
// mode: write
// scope: system
MATCH (r:Request)
WHERE r.createdAt < $oldest
WITH r LIMIT $limit
DETACH DELETE r
RETURN count(*) AS dropped
