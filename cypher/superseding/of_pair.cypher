// purpose: the record of one fact being superseded by another, whatever became of it
// params: agent_id STRING, old_id STRING, new_id STRING
// returns: id STRING
// mode: read
MATCH (s:Supersession {agent_id: $agent_id, oldId: $old_id, newId: $new_id})
RETURN s.id AS id
