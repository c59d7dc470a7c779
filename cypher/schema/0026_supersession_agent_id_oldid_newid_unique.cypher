// purpose: a pair is decided on once
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT supersession_agent_id_oldid_newid_unique IF NOT EXISTS
FOR (s:Supersession) REQUIRE (s.agent_id, s.oldId, s.newId) IS UNIQUE
