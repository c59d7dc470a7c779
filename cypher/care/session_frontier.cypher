// purpose: where the replay of a session begins, and how far the session goes and was read
// params: agent_id STRING, session_id STRING
// returns: source STRING, nextOrdinal INTEGER, frontier INTEGER, extractedThrough INTEGER, archivedAt ZONED DATETIME
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN s.source AS source, s.nextOrdinal AS nextOrdinal, coalesce(s.frontier, 0) AS frontier,
  s.extractedThrough AS extractedThrough, s.archivedAt AS archivedAt
