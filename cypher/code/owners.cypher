// purpose: who owns entities, or the files they stand in
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, name STRING, owned LIST<STRING>
// mode: read
UNWIND $ids AS id
MATCH (e:Entity {agent_id: $agent_id, id: id})
MATCH (f:Entity {agent_id: $agent_id, file: coalesce(e.file, '')})-[d:DEPENDS_ON {type: 'owned_by'}]->(o:Entity)
WHERE d.activeKey IS NOT NULL AND f.repository = e.repository
WITH DISTINCT o, f.file AS file
ORDER BY file
RETURN o.id AS id, o.name AS name, collect(file) AS owned
ORDER BY name, id
