// purpose: move a session's frontier, or note which extractor read it, if nobody else did meanwhile
// params: agent_id STRING, session_id STRING, expected INTEGER, frontier INTEGER, now ZONED DATETIME, through INTEGER, extractor STRING
// returns: frontier INTEGER // [rotated]
// returns: noted BOOLEAN // [reread]
// mode: write
// variants: rotated | reread
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.lock = true
WITH s WHERE coalesce(s.frontier, 0) = $expected AND s.nextOrdinal >= $frontier // [rotated]
SET s.frontier = $frontier, s.rotatedAt = $now // [rotated]
RETURN s.frontier AS frontier // [rotated]
// WITH s WHERE s.extractedThrough = $through // [reread]
// SET s.extractor = $extractor // [reread]
// RETURN true AS noted // [reread]
