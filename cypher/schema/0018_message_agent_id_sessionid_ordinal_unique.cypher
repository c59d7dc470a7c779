// purpose: ordinals never repeat in a session, and pages are read in their order
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT message_agent_id_sessionid_ordinal_unique IF NOT EXISTS
FOR (m:Message) REQUIRE (m.agent_id, m.sessionId, m.ordinal) IS UNIQUE
