// purpose: summary ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT summary_agent_id_id_unique IF NOT EXISTS
FOR (s:Summary) REQUIRE (s.agent_id, s.id) IS UNIQUE
