// purpose: note that a migration was applied
// params: number INTEGER, name STRING, checksum STRING, now ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
MERGE (m:Migration {number: $number})
ON CREATE SET m.name = $name, m.checksum = $checksum, m.appliedAt = $now
