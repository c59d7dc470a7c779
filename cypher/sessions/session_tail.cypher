// purpose: the last messages of a session, oldest first
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER
// returns: id STRING, messageId STRING, ordinal INTEGER, fingerprint STRING
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal
RETURN m.id AS id, m.messageId AS messageId, m.ordinal AS ordinal, m.fingerprint AS fingerprint
ORDER BY ordinal
