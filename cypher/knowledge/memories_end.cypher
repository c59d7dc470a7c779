// purpose: mark memories all of whose facts are superseded, or let those that ended so end when their facts do
// params: agent_id STRING, attribute_ids LIST<STRING>, by_person BOOLEAN
// returns: memoryId STRING
// mode: write
// variants: restated | reached
// why: a pinned statement stays, whatever was drawn from it, unless a person retired that // [restated]
// why: a fact that ended already may end at another time, by a closer fact or a roll-back; what was corrected ends with what corrects it // [reached]
UNWIND $attribute_ids AS attributeId
MATCH (:Attribute {agent_id: $agent_id, id: attributeId})-[:DERIVED_FROM]->(k:Memory) // [restated]
// MATCH (:Attribute {agent_id: $agent_id, id: attributeId})-[:DERIVED_FROM]->(k:Memory|ColdMemory) // [reached]
WITH DISTINCT k
WHERE k.status = 'active' AND ($by_person OR NOT k.pinned) AND NOT EXISTS { (k)<-[:DERIVED_FROM]-(:Attribute {status: 'active'}) } // [restated]
SET k.status = 'superseded', k.ownValidTo = k.validTo, k.validTo = coalesce(k.validTo, head(COLLECT { // [restated]
// WHERE coalesce(k.coldStatus, k.status) = 'superseded' AND k.supersededBy IS NULL // [reached]
// SET k.validTo = coalesce(k.ownValidTo, head(COLLECT { // [reached]
  MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.validTo ORDER BY t.validTo DESC LIMIT 1 }))
RETURN k.id AS memoryId
