// purpose: a session, locked until the transaction ends
// params: agent_id STRING, session_id STRING
// returns: session MAP
// mode: write
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
RETURN s {.id, .project, .source, .startedAt, .endedAt, .contextWindow, .metadata, .messages, .tokens, .extractedThrough,
  .nextOrdinal, .continues, .archivedAt} AS session
