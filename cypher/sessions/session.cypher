// purpose: one session
// params: agent_id STRING, session_id STRING
// returns: session MAP
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN s {.id, .project, .source, .startedAt, .endedAt, .contextWindow, .metadata, .messages, .tokens, .extractedThrough,
  .nextOrdinal, .continues, .archivedAt} AS session
