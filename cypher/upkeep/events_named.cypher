// purpose: the events of an agent that have one of these names, newest first, behind a place in time
// params: agent_id STRING, names LIST<STRING>, since ZONED DATETIME, before ZONED DATETIME, before_id STRING, limit INTEGER
// returns: id STRING, at STRING, kind STRING, subjectId STRING, actor STRING, reason STRING, after STRING
// mode: read
// why: rare names are found by their own index, however much else happened
UNWIND $names AS name
CALL (name) {
  MATCH (e:Event {agent_id: $agent_id, kind: name})
  WHERE e.at >= $since AND e.at <= $before AND (e.at < $before OR e.id < $before_id)
  RETURN e ORDER BY e.at DESC, e.id DESC
  LIMIT $limit
}
WITH e ORDER BY e.at DESC, e.id DESC
LIMIT $limit
RETURN e.id AS id, toString(e.at) AS at, e.kind AS kind, e.subjectId AS subjectId, e.actor AS actor, e.reason AS reason, e.after AS after
