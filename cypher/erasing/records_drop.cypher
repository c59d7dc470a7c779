// purpose: erase what was decided on erased things, said of them or is to be done with them: supersessions, merges, roll-backs, feedback, jobs
// params: agent_id STRING, ids LIST<STRING>
// returns: kind STRING, number INTEGER
// mode: write
CALL () {
  MATCH (n:Supersession)
  WHERE n.agent_id = $agent_id AND n.id > '' AND (n.oldId IN $ids OR n.newId IN $ids)
  RETURN n
  UNION
  MATCH (n:Merge)
  WHERE n.agent_id = $agent_id AND n.id > '' AND (n.fromId IN $ids OR n.intoId IN $ids)
  RETURN n
  UNION
  MATCH (n:Rollback)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.entityId IN $ids
  RETURN n
  UNION
  MATCH (n:Feedback)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.targetId IN $ids
  RETURN n
  UNION
  MATCH (n:Job)
  WHERE n.agent_id = $agent_id AND n.id > '' AND n.subjectId IN $ids
  RETURN n
}
WITH n, head(labels(n)) AS kind
DETACH DELETE n
RETURN kind, count(*) AS number
