// purpose: which of these messageIds a session holds, and what they said
// params: agent_id STRING, session_id STRING, message_ids LIST<STRING>
// returns: messageId STRING, id STRING, ordinal INTEGER, fingerprint STRING
// mode: read
UNWIND $message_ids AS messageId
MATCH (m:Message {agent_id: $agent_id, sessionId: $session_id, messageId: messageId})
RETURN messageId, m.id AS id, m.ordinal AS ordinal, m.fingerprint AS fingerprint
