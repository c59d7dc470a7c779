// purpose: every node but those that belong to this server alone
// params: none
// returns: id STRING, labels LIST<STRING>, properties MAP
// mode: read
// scope: system
MATCH (n)
WHERE NOT n:Lease AND NOT n:Migration
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties
