// purpose: statements that ended with their facts end when these do
// params: agent_id STRING, attribute_ids LIST<STRING>
// returns: memoryId STRING
// mode: write
// why: a fact that ended already may end at another time, by a closer fact or a roll-back; what was corrected ends with what corrects it
UNWIND $attribute_ids AS attributeId
MATCH (:Attribute {agent_id: $agent_id, id: attributeId})-[:DERIVED_FROM]->(k:Memory|ColdMemory)
WITH DISTINCT k
WHERE coalesce(k.coldStatus, k.status) = 'superseded' AND k.supersededBy IS NULL
SET k.validTo = coalesce(k.ownValidTo, head(COLLECT {
  MATCH (k)<-[:DERIVED_FROM]-(t:Attribute) RETURN t.validTo ORDER BY t.validTo DESC LIMIT 1 }))
RETURN k.id AS memoryId
