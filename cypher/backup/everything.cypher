// purpose: every node but those that belong to this server alone, or every relationship
// params: none
// returns: id STRING, labels LIST<STRING>, properties MAP // [nodes]
// returns: type STRING, source STRING, target STRING, properties MAP // [relationships]
// mode: read
// scope: system
// variants: nodes | relationships
MATCH (n) // [nodes]
WHERE NOT n:Lease AND NOT n:Migration // [nodes]
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties // [nodes]
// MATCH (a)-[r]->(b) // [relationships]
// RETURN type(r) AS type, elementId(a) AS source, elementId(b) AS target, properties(r) AS properties // [relationships]
