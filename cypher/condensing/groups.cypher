// purpose: the arcs and epochs of a project, or of none, as they are; stale where what they tell may have changed, or no longer holds
// params: agent_id STRING, project STRING, now ZONED DATETIME
// returns: id STRING, kind STRING, number INTEGER, childIds LIST<STRING>, stale BOOLEAN, marks INTEGER, hidden BOOLEAN
// mode: read
UNWIND ['arc', 'epoch'] AS kind
MATCH (y:Summary)
WHERE y.agent_id = $agent_id AND y.dagKey STARTS WITH kind + ':' + coalesce($project, '') + ':'
  AND (y.project = $project OR $project IS NULL AND y.project IS NULL)
RETURN y.id AS id, y.kind AS kind, y.number AS number,
  COLLECT { MATCH (y)-[h:HAS_CHILD]->(d:Summary) RETURN d.id ORDER BY h.ordinal } AS childIds,
  y.stale OR EXISTS { MATCH (y)-[:STATES]->(t:Attribute) WHERE NOT t.status IN ['active', 'superseded'] OR t.validTo <= $now } AS stale,
  y.marks AS marks, y.archivedAt IS NOT NULL AS hidden
ORDER BY kind, number
