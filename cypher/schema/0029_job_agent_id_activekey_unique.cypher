// purpose: one open job for one piece of work
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: activeKey is null once the job is done or failed
CREATE CONSTRAINT job_agent_id_activekey_unique IF NOT EXISTS
FOR (j:Job) REQUIRE (j.agent_id, j.activeKey) IS UNIQUE
