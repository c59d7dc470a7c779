// purpose: version and edition of the server
// params: none
// returns: version STRING, edition STRING
// mode: read
// scope: system
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
