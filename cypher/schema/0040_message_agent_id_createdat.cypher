// purpose: messages by the client's time
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE INDEX message_agent_id_createdat IF NOT EXISTS
FOR (m:Message) ON (m.agent_id, m.createdAt)
