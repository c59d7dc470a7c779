// purpose: supersession ids
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT supersession_agent_id_id_unique IF NOT EXISTS
FOR (s:Supersession) REQUIRE (s.agent_id, s.id) IS UNIQUE
