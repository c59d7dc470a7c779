// purpose: nodes as they were, with what tells them apart meanwhile, or the relationships between them
// params: rows LIST<MAP>
// returns: stored INTEGER
// mode: write
// scope: system
// variants: nodes | relationships
UNWIND $rows AS row
CREATE (n:Restoring:$(row.labels)) // [nodes]
SET n = row.properties, n.restoreId = row.id // [nodes]
RETURN count(n) AS stored // [nodes]
// MATCH (a:Restoring {restoreId: row.source}) // [relationships]
// MATCH (b:Restoring {restoreId: row.target}) // [relationships]
// CREATE (a)-[r:$(row.type)]->(b) // [relationships]
// SET r = row.properties // [relationships]
// RETURN count(r) AS stored // [relationships]
