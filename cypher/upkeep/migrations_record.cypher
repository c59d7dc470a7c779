// purpose: note that migrations were applied
// params: migrations LIST<MAP>, now ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
// why: all at once, for every change of the schema makes Neo4j plan every statement anew
UNWIND $migrations AS row
MERGE (m:Migration {number: row.number})
ON CREATE SET m.name = row.name, m.checksum = row.checksum, m.appliedAt = $now
