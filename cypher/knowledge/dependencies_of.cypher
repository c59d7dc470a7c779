// purpose: what needs an entity, or what it needs, now or as it was on a day, strongest first
// params: agent_id STRING, id STRING, limit INTEGER, now ZONED DATETIME, as_of ZONED DATETIME, known_at ZONED DATETIME, ids LIST<STRING>
// returns: dependency MAP
// mode: read
// variants: incoming | outgoing | incoming_then | outgoing_then | exported
// fragments: stands_now, dependency_row, edge_held, dependency_then
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})<-[d:DEPENDS_ON]-(o:Entity|ColdEntity) // [incoming, incoming_then]
// MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: $id})-[d:DEPENDS_ON]->(o:Entity|ColdEntity) // [outgoing, outgoing_then]
WHERE stands_now(d) // [incoming, outgoing]
// UNWIND $ids AS id // [exported]
// MATCH (e:Entity {agent_id: $agent_id, id: id})-[d:DEPENDS_ON]->(o:Entity) // [exported]
// WHERE edge_held(d) // [incoming_then, outgoing_then, exported]
WITH o AS a, e AS b, d, o // [incoming, incoming_then]
// WITH e AS a, o AS b, d, o // [outgoing, outgoing_then, exported]
ORDER BY d.strength DESC, d.confidence DESC, o.name, d.id // [incoming, outgoing, incoming_then, outgoing_then]
LIMIT $limit // [incoming, outgoing, incoming_then, outgoing_then]
RETURN dependency_row(a, d, b) AS dependency // [incoming, outgoing]
// ORDER BY a.id, d.id // [exported]
// RETURN dependency_then(a, d, b) AS dependency // [incoming_then, outgoing_then, exported]
