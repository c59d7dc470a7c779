// purpose: one job
// params: agent_id STRING, id STRING
// returns: job MAP
// mode: read
MATCH (j:Job {agent_id: $agent_id, id: $id})
RETURN {jobId: j.id, kind: j.kind, status: j.status, progress: j.progress, error: j.error, result: j.result} AS job
