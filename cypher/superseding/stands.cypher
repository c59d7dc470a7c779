// purpose: whether the newer fact of a supersession that ended may supersede the older one once more
// params: agent_id STRING, id STRING
// returns: stands BOOLEAN
// mode: read
// why: what was put away since retires nothing; what was away when it ended is so again as it was
MATCH (s:Supersession {agent_id: $agent_id, id: $id})
MATCH (new:Attribute {agent_id: $agent_id, id: s.newId})
RETURN new.status IN ['active', 'superseded'] OR coalesce(new.coldAt, new.retiredAt) <= s.decidedAt AS stands
