// purpose: every relationship
// params: none
// returns: type STRING, source STRING, target STRING, properties MAP
// mode: read
// scope: system
MATCH (a)-[r]->(b)
RETURN type(r) AS type, elementId(a) AS source, elementId(b) AS target, properties(r) AS properties
