// purpose: a session id is unique for its agent
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT session_agent_id_id_unique IF NOT EXISTS
FOR (s:Session) REQUIRE (s.agent_id, s.id) IS UNIQUE
