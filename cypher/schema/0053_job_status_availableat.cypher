// purpose: the next piece of work
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX job_status_availableat IF NOT EXISTS
FOR (j:Job) ON (j.status, j.availableAt)
