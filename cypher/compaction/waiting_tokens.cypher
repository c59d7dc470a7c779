// purpose: the tokens of the messages of [from, to)
// params: agent_id STRING, session_id STRING, from_ordinal INTEGER, to_ordinal INTEGER
// returns: tokens INTEGER
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.sessionId = $session_id AND m.ordinal >= $from_ordinal AND m.ordinal < $to_ordinal
RETURN sum(m.tokens) AS tokens
