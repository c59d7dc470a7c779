// purpose: some of what is being restored is like all else from now on, or some nodes go, to make room for a backup
// params: limit INTEGER
// returns: number INTEGER
// mode: write
// scope: system
// variants: restored | wiped
MATCH (n:Restoring) // [restored]
// MATCH (n) // [wiped]
// WHERE NOT n:Lease AND NOT n:Migration // [wiped]
WITH n LIMIT $limit
REMOVE n:Restoring, n.restoreId // [restored]
// DETACH DELETE n // [wiped]
RETURN count(n) AS number
