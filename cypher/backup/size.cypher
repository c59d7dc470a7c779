// purpose: about how much a backup has to hold
// params: none
// returns: nodes INTEGER, relationships INTEGER
// mode: read
// scope: system
// why: counts of all nodes and all relationships are read from the store's own counters
CALL () { MATCH (n) RETURN count(n) AS nodes }
CALL () { MATCH ()-[r]->() RETURN count(r) AS relationships }
RETURN nodes, relationships
