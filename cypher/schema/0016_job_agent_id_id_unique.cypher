// purpose: job ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT job_agent_id_id_unique IF NOT EXISTS
FOR (j:Job) REQUIRE (j.agent_id, j.id) IS UNIQUE
