// purpose: names lead to another entity, those that lead to no third one
// params: agent_id STRING, names LIST<STRING>, from_id STRING, to_id STRING
// returns: canonical STRING
// mode: write
MATCH (e:Entity|MergedEntity {agent_id: $agent_id, id: $to_id})
UNWIND $names AS canonical
MATCH (n:Name {agent_id: $agent_id, canonical: canonical})
OPTIONAL MATCH (n)-[l:NAMES]->(o)
WITH n, l, o, e, canonical
WHERE o IS NULL OR o.id = $from_id
DELETE l
CREATE (n)-[:NAMES]->(e)
RETURN canonical
