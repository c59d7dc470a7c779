// purpose: what happened to a memory or a fact, oldest first, behind a place in time
// params: agent_id STRING, ids LIST<STRING>, after ZONED DATETIME, after_id STRING, limit INTEGER
// returns: id STRING, at ZONED DATETIME, kind STRING, subjectId STRING, actor STRING, reason STRING, before STRING, after STRING
// mode: read
// why: a supersession is an event of the older fact; for the newer one it is read off the link
CALL () {
  UNWIND $ids AS subjectId
  MATCH (e:Event {agent_id: $agent_id, subjectId: subjectId})
  WHERE e.at > $after OR (e.at = $after AND e.id > $after_id)
  RETURN e.id AS id, e.at AS at, e.kind AS kind, subjectId, e.actor AS actor, e.reason AS reason, e.before AS before, e.after AS after
  UNION ALL
  UNWIND $ids AS subjectId
  MATCH (t:Attribute {agent_id: $agent_id, id: subjectId})<-[l:SUPERSEDED_BY]-(old:Attribute)
  WHERE l.at > $after OR (l.at = $after AND l.id > $after_id)
  MATCH (s:Supersession {agent_id: $agent_id, id: coalesce(l.supersessionId, l.id)})
  RETURN l.id AS id, l.at AS at, 'supersedes' AS kind, subjectId,
    coalesce(head(COLLECT { MATCH (e:Event {agent_id: $agent_id, subjectId: old.id, at: l.at}) WHERE e.kind IN ['superseded', 'attribute_rolled_back'] RETURN e.actor LIMIT 1 }),
      s.method) AS actor, s.reason AS reason,
    '{"attribute": "' + old.id + '"}' AS before, '{"supersession": "' + s.id + '"}' AS after
  UNION ALL
  UNWIND $ids AS subjectId
  MATCH (t:Attribute {agent_id: $agent_id, id: subjectId})<-[l:SUPERSEDED_BY]-(old:Attribute)
  WHERE l.undoneAt > $after OR (l.undoneAt = $after AND l.id > $after_id)
  OPTIONAL MATCH (e:Event {agent_id: $agent_id, subjectId: old.id, at: l.undoneAt})
  WHERE e.kind IN ['supersession_undone', 'supersession_refined', 'attribute_revived', 'attribute_rolled_back']
  RETURN l.id AS id, l.undoneAt AS at, 'supersedes_no_more' AS kind, subjectId, coalesce(e.actor, 'doctor') AS actor,
    coalesce(e.reason, l.reason) AS reason, '{"supersession": "' + coalesce(l.supersessionId, l.id) + '"}' AS before, '{"attribute": "' + old.id + '"}' AS after
}
RETURN id, at, kind, subjectId, actor, reason, before, after
ORDER BY at, id
LIMIT $limit
