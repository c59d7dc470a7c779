// purpose: names and types of the entities that an impact lists
// params: agent_id STRING, ids LIST<STRING>
// returns: entities LIST<LIST<STRING>>
// mode: read
// why: the walk brings ids only, of which most are not listed
UNWIND $ids AS id
MATCH (e:Entity|ColdEntity {agent_id: $agent_id, id: id})
RETURN collect([e.id, e.name, e.type]) AS entities
