// purpose: let a retired fact hold again, unless an equal one holds
// params: agent_id STRING, id STRING, active_key STRING
// returns: id STRING
// mode: write
MATCH (t:Attribute {agent_id: $agent_id, id: $id})
WHERE NOT EXISTS { (o:Attribute {agent_id: $agent_id, activeKey: $active_key}) WHERE o.id <> $id }
SET t.status = 'active', t.supersededBy = null, t.retiredAt = null, t.validTo = t.ownValidTo, t.activeKey = $active_key
REMOVE t.ownValidTo
RETURN t.id AS id
