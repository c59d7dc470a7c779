// purpose: what entities are that may be merged, or were
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING, name STRING, canonical STRING, cold BOOLEAN, survivorId STRING
// mode: read
UNWIND $ids AS id
MATCH (e:Entity|ColdEntity|MergedEntity {agent_id: $agent_id, id: id})
OPTIONAL MATCH (e)-[:MERGED_INTO]->(s)
RETURN e.id AS id, e.name AS name, e.canonicalName AS canonical, e:ColdEntity AS cold, s.id AS survivorId
