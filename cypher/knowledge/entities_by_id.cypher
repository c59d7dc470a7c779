// purpose: entities by id, as they are shown or as lists of name and type
// params: agent_id STRING, ids LIST<STRING>
// returns: entity MAP // [shown]
// returns: entities LIST<LIST<STRING>> // [lists]
// mode: read
// variants: shown | lists
// fragments: entity_short // [shown]
// why: the walk brings ids only, of which most are not listed // [lists]
UNWIND $ids AS id
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
RETURN entity_short(e) AS entity // [shown]
// RETURN collect([e.id, e.name, e.type]) AS entities // [lists]
