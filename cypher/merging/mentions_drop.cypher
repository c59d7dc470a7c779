// purpose: an entity is no longer mentioned where only what was merged into it is
// params: agent_id STRING, into_id STRING, merge_id STRING
// returns: nothing
// mode: write
MATCH (s:Entity {agent_id: $agent_id, id: $into_id})
MATCH (s)<-[l:MENTIONS|ABOUT {mergeId: $merge_id}]-()
DELETE l
