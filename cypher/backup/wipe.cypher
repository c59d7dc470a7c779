// purpose: some nodes go for good, to make room for a backup
// params: limit INTEGER
// returns: number INTEGER
// mode: write
// scope: system
MATCH (n)
WHERE NOT n:Lease AND NOT n:Migration
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(n) AS number
