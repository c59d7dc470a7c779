// purpose: an agent's jobs by status
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX job_agent_id_status IF NOT EXISTS
FOR (j:Job) ON (j.agent_id, j.status)
