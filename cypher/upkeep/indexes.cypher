// purpose: the indexes that exist and their state
// params: none
// returns: name STRING, type STRING, state STRING
// mode: read
// scope: system
SHOW INDEXES YIELD name, type, state
RETURN name, type, state
ORDER BY name
