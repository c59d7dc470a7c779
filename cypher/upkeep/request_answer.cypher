// purpose: keep the answer of a request beside what it wrote
// params: agent_id STRING, key STRING, status INTEGER, body STRING
// returns: nothing
// mode: write
MATCH (r:Request {agent_id: $agent_id, key: $key})
SET r.status = $status, r.body = $body
