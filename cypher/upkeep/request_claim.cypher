// purpose: take an idempotency key, or learn what it was used for
// params: agent_id STRING, key STRING, route STRING, body_hash STRING, now ZONED DATETIME, oldest ZONED DATETIME
// returns: used BOOLEAN, route STRING, bodyHash STRING, status INTEGER, body STRING
// mode: write
// why: the unique index makes a second taker wait for the first to commit
MERGE (r:Request {agent_id: $agent_id, key: $key})
SET r.lock = true
WITH r, r.status IS NOT NULL AND r.createdAt > $oldest AS used
FOREACH (_ IN CASE WHEN used THEN [] ELSE [1] END |
  SET r.route = $route, r.bodyHash = $body_hash, r.createdAt = $now, r.status = null, r.body = null)
RETURN used, r.route AS route, r.bodyHash AS bodyHash, r.status AS status, r.body AS body
