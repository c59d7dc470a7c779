// purpose: entities by id, with their names
// params: agent_id STRING, ids LIST<STRING>
// returns: entity MAP
// mode: read
UNWIND $ids AS id
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
RETURN e {.id, .name, .type, .pinned, status: CASE WHEN e:ColdEntity THEN 'cold' ELSE 'active' END, aliases: COLLECT { MATCH (n:Name)-[:NAMES]->(e) WHERE n.canonical <> e.canonicalName
  RETURN n.surface ORDER BY n.surface }} AS entity
