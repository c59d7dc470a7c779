// purpose: nodes as they were, with what tells them apart until their relationships are there
// params: rows LIST<MAP>
// returns: stored INTEGER
// mode: write
// scope: system
UNWIND $rows AS row
CREATE (n:Restoring:$(row.labels))
SET n = row.properties, n.restoreId = row.id
RETURN count(n) AS stored
