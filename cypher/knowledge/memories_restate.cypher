// purpose: mark memories all of whose facts are superseded
// params: agent_id STRING, attribute_ids LIST<STRING>, by_person BOOLEAN
// returns: memoryId STRING
// mode: write
// why: a pinned statement stays, whatever was drawn from it, unless a person retired that
UNWIND $attribute_ids AS attributeId
MATCH (:Attribute {agent_id: $agent_id, id: attributeId})-[:DERIVED_FROM]->(k:Memory)
WITH DISTINCT k
WHERE k.status = 'active' AND ($by_person OR NOT k.pinned) AND NOT EXISTS { (k)<-[:DERIVED_FROM]-(:Attribute {status: 'active'}) }
SET k.status = 'superseded', k.ownValidTo = k.validTo, k.validTo = coalesce(k.validTo, head(COLLECT {
  MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.validTo ORDER BY t.validTo DESC LIMIT 1 }))
RETURN k.id AS memoryId
