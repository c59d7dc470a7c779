// purpose: a place in the session DAG is filled once
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: dagKey is kind and what it covers; it makes building twice the same as building once
CREATE CONSTRAINT summary_agent_id_dagkey_unique IF NOT EXISTS
FOR (s:Summary) REQUIRE (s.agent_id, s.dagKey) IS UNIQUE
