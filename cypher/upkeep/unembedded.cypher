// purpose: texts that wait for a vector, oldest first come
// params: limit INTEGER
// returns: id STRING, agent_id STRING, text STRING, node STRING
// mode: read
// scope: system
// why: one label for all kinds: a label scan touches only what waits
MATCH (n:Unembedded)
RETURN elementId(n) AS node, n.agent_id AS agent_id, n.searchText AS text
LIMIT $limit
