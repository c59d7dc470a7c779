// purpose: migrations recorded in this database
// params: none
// returns: number INTEGER, name STRING, checksum STRING
// mode: read
// scope: system
MATCH (m:Migration)
RETURN m.number AS number, m.name AS name, m.checksum AS checksum
ORDER BY number
