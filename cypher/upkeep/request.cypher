// purpose: what an idempotency key was used for, and the answer
// params: agent_id STRING, key STRING, oldest ZONED DATETIME
// returns: route STRING, bodyHash STRING, status INTEGER, body STRING
// mode: read
MATCH (r:Request {agent_id: $agent_id, key: $key})
WHERE r.status IS NOT NULL AND r.createdAt > $oldest
RETURN r.route AS route, r.bodyHash AS bodyHash, r.status AS status, r.body AS body
