// purpose: a message by the id it was brought with, whatever its session
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX message_agent_id_messageid IF NOT EXISTS
FOR (m:Message) ON (m.agent_id, m.messageId)
