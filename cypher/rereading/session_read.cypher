// purpose: how far a session was read, and by which extractor
// params: agent_id STRING, session_id STRING
// returns: project STRING, source STRING, through INTEGER, extractor STRING, archivedAt ZONED DATETIME
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
RETURN s.project AS project, s.source AS source, s.extractedThrough AS through, s.extractor AS extractor, s.archivedAt AS archivedAt
