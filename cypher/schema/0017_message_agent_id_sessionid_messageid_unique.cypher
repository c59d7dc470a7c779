// purpose: a messageId is unique in its session
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT message_agent_id_sessionid_messageid_unique IF NOT EXISTS
FOR (m:Message) REQUIRE (m.agent_id, m.sessionId, m.messageId) IS UNIQUE
