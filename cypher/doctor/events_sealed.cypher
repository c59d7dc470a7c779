// purpose: history that is chained, in order, behind one of its events
// params: agent_id STRING, after ZONED DATETIME, after_id STRING, limit INTEGER
// returns: event MAP, prevHash STRING, hash STRING
// mode: read
// fragments: behind_event
MATCH (e:Event)
WHERE e.agent_id = $agent_id AND behind_event(e) AND NOT e:Unsealed
RETURN e {.id, .kind, .subjectId, .actor, .at, .before, .after, .reason} AS event, e.prevHash AS prevHash, e.hash AS hash
ORDER BY e.at.epochSeconds, e.at.microsecond, e.id LIMIT $limit
