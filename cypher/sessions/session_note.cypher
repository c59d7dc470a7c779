// purpose: note something on a session: that it ended, which job ends it, that a bypass was read, that its compaction is a job
// params: agent_id STRING, session_id STRING, now ZONED DATETIME, job_id STRING
// returns: nothing
// mode: write
// variants: ended | job | read | queued
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
SET s.endedAt = coalesce(s.endedAt, $now), s.idleSince = null // [ended]
// SET s.endJobId = $job_id // [job]
// SET s.toRead = null // [read]
// REMOVE s:Uncompacted // [queued]
