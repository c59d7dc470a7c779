// purpose: an agent's open and failed jobs
// params: agent_id STRING
// returns: kind STRING, status STRING, id STRING, error STRING
// mode: read
MATCH (j:Job)
WHERE j.agent_id = $agent_id AND j.status IN ['queued', 'running', 'failed']
RETURN j.kind AS kind, j.status AS status, j.id AS id, j.error AS error
ORDER BY j.createdAt
LIMIT 10000
