// purpose: texts that wait for a vector
// params: limit INTEGER
// returns: node STRING, agent_id STRING, text STRING
// mode: read
// scope: system
// why: a node without a text, which only somebody else could make, must not hold up all others
// why: one label for all kinds: a label scan touches only what waits
MATCH (n:Unembedded)
WHERE n.searchText IS NOT NULL
RETURN elementId(n) AS node, n.agent_id AS agent_id, n.searchText AS text
LIMIT $limit
