// purpose: the history of a kind, of one subject or all, in order, behind one of its events
// params: agent_id STRING, kind STRING, subject_id STRING, after ZONED DATETIME, after_id STRING, limit INTEGER
// returns: id STRING, at ZONED DATETIME, subjectId STRING, after STRING
// mode: read
// fragments: behind_event
MATCH (e:Event {agent_id: $agent_id, kind: $kind})
WHERE behind_event(e) AND ($subject_id IS NULL OR e.subjectId = $subject_id)
RETURN e.id AS id, e.at AS at, e.subjectId AS subjectId, e.after AS after
ORDER BY e.at.epochSeconds, e.at.microsecond, e.id LIMIT $limit
