// purpose: relationships as they were, between restored nodes
// params: rows LIST<MAP>
// returns: stored INTEGER
// mode: write
// scope: system
UNWIND $rows AS row
MATCH (a:Restoring {restoreId: row.source})
MATCH (b:Restoring {restoreId: row.target})
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties
RETURN count(r) AS stored
