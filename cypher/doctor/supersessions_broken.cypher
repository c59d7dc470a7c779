// purpose: superseded facts without a successor, and facts that supersede themselves in a circle
// params: agent_id STRING, limit INTEGER
// returns: id STRING, circle BOOLEAN
// mode: read
MATCH (a:Attribute)
WHERE a.agent_id = $agent_id AND a.status = 'superseded'
WITH a, EXISTS { (a)-[:SUPERSEDED_BY]->{1,20}(a) } AS circle
WHERE circle OR NOT EXISTS { (a)-[:SUPERSEDED_BY]->(:Attribute) }
RETURN a.id AS id, circle
ORDER BY id LIMIT $limit
