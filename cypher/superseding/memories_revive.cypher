// purpose: statements hold again with a fact that was drawn from them
// params: agent_id STRING, attribute_id STRING
// returns: id STRING
// mode: write
MATCH (:Attribute {agent_id: $agent_id, id: $attribute_id, status: 'active'})-[:DERIVED_FROM]->(k:Memory {status: 'superseded'})
SET k.status = 'active', k.validTo = k.ownValidTo
REMOVE k.ownValidTo, k.supersededBy
RETURN k.id AS id
