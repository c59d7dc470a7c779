// purpose: every text that an agent's nodes, or its relationships, hold, whatever the property, without the grams, which are made of them
// params: agent_id STRING
// returns: node STRING, labels LIST<STRING>, id STRING, texts LIST<LIST<STRING>>, source BOOLEAN // [nodes]
// returns: edge STRING, id STRING, texts LIST<LIST<STRING>> // [relationships]
// mode: read
// variants: nodes | relationships
// why: a seal holds ids and hashes of many things, and no words: one id that somebody said would cost all of them their seal // [nodes]
// why: source is what is said by itself and no message repeats: a message, a passage of a file, a statement that a person gave // [nodes]
CYPHER 25
MATCH (n) // [nodes]
WHERE n.agent_id = $agent_id AND NOT (n:Event AND coalesce(n.kind = 'content_sealed', false)) // [nodes]
// MATCH (a)-[n]->() // [relationships]
// WHERE a.agent_id = $agent_id // [relationships]
WITH n, [k IN keys(n) WHERE k <> 'agent_id' AND k <> 'agentKey' AND k <> 'grams'] AS held
WITH n, [k IN held WHERE n[k] IS :: STRING NOT NULL | [k, n[k]]] + [k IN held WHERE n[k] IS :: LIST<STRING NOT NULL> NOT NULL | [k] + n[k]] AS texts
WHERE size(texts) > 0
RETURN elementId(n) AS node, labels(n) AS labels, coalesce(n.id, n.sha256, n.canonical, n.key) AS id, texts, // [nodes]
  n:Message OR n:Passage OR (n:Memory OR n:ColdMemory) AND coalesce(n.explicit, false) AS source // [nodes]
// RETURN elementId(n) AS edge, n.id AS id, texts // [relationships]
