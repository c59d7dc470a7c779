// purpose: some nodes that are being restored are like all others from now on
// params: limit INTEGER
// returns: number INTEGER
// mode: write
// scope: system
MATCH (n:Restoring)
WITH n LIMIT $limit
REMOVE n:Restoring, n.restoreId
RETURN count(n) AS number
