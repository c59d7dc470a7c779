// purpose: the memories a fact was drawn from, and how many other active facts each still states
// params: agent_id STRING, id STRING
// returns: id STRING, content STRING, supports INTEGER
// mode: read
MATCH (t:Attribute {agent_id: $agent_id, id: $id})-[:DERIVED_FROM]->(k:Memory {status: 'active'})
RETURN k.id AS id, k.content AS content, COUNT { (k)<-[:DERIVED_FROM]-(o:Attribute {status: 'active'}) WHERE o <> t } AS supports
ORDER BY id
