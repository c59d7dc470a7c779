// purpose: which session a session goes on from, and which ones go on from it, oldest first
// params: agent_id STRING, session_id STRING
// returns: continues STRING, continuedBy LIST<STRING>
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN s.continues AS continues,
  COLLECT { MATCH (o:Session)
    WHERE o.agent_id = $agent_id AND o.continues = $session_id RETURN o.id ORDER BY o.startedAt, o.id } AS continuedBy
