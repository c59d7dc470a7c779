// purpose: the entities of files, and of what stands in certain lines of them
// params: agent_id STRING, repository STRING, rows LIST<MAP>
// returns: id STRING, name STRING, type STRING, file STRING, line INTEGER
// mode: read
// why: what has no line is the file itself; no ranges mean the whole file
UNWIND $rows AS row
MATCH (e:Entity {agent_id: $agent_id, file: row.file})
WHERE e.repository = $repository AND (e.line IS NULL OR row.ranges IS NULL
  OR any(range IN row.ranges WHERE e.line <= range[1] AND range[0] <= e.endLine))
RETURN e.id AS id, e.name AS name, e.type AS type, e.file AS file, e.line AS line
ORDER BY file, line, name
