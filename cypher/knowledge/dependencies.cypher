// purpose: dependencies by id
// params: agent_id STRING, ids LIST<STRING>
// returns: dependency MAP
// mode: read
// fragments: dependency_row
UNWIND $ids AS id
MATCH (a:Entity|ColdEntity)-[d:DEPENDS_ON {agent_id: $agent_id, id: id}]->(b:Entity|ColdEntity)
RETURN dependency_row(a, d, b) AS dependency
ORDER BY a.name, b.name, d.type
