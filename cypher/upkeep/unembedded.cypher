// purpose: texts that wait for a vector
// params: limit INTEGER
// returns: node STRING, agent_id STRING, text STRING
// mode: read
// scope: system
// why: one label for all kinds: a label scan touches only what waits
MATCH (n:Unembedded)
RETURN elementId(n) AS node, n.agent_id AS agent_id, n.searchText AS text
LIMIT $limit
