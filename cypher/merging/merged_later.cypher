// purpose: the last thing that was merged into an entity behind another
// params: agent_id STRING, id STRING, merge_id STRING
// returns: mergeId STRING
// mode: read
MATCH (s:Entity {agent_id: $agent_id, id: $id})
MATCH (s)<-[this:MERGED_INTO {mergeId: $merge_id}]-()
MATCH (s)<-[later:MERGED_INTO]-()
WHERE later.at > this.at
RETURN later.mergeId AS mergeId
ORDER BY later.at DESC LIMIT 1
