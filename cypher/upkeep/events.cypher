// purpose: the events of an agent, all or those of some names, newest first, behind a place in time
// params: agent_id STRING, since ZONED DATETIME, before ZONED DATETIME, before_id STRING, limit INTEGER, names LIST<STRING>
// returns: id STRING, at STRING, kind STRING, subjectId STRING, actor STRING, reason STRING, after STRING
// mode: read
// variants: all | named
// why: rare names are found by their own index, however much else happened // [named]
MATCH (e:Event {agent_id: $agent_id}) // [all]
WHERE e.at >= $since AND e.at <= $before AND (e.at < $before OR e.id < $before_id) // [all]
// UNWIND $names AS name // [named]
// CALL (name) { // [named]
//   MATCH (e:Event {agent_id: $agent_id, kind: name}) // [named]
//   WHERE e.at >= $since AND e.at <= $before AND (e.at < $before OR e.id < $before_id) // [named]
//   RETURN e ORDER BY e.at DESC, e.id DESC // [named]
//   LIMIT $limit // [named]
// } // [named]
WITH e ORDER BY e.at DESC, e.id DESC
LIMIT $limit
RETURN e.id AS id, toString(e.at) AS at, e.kind AS kind, e.subjectId AS subjectId, e.actor AS actor, e.reason AS reason, e.after AS after
