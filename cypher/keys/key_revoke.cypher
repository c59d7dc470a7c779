// purpose: end a key; one that ended before keeps its time
// params: id STRING, now ZONED DATETIME
// returns: key MAP
// mode: write
// scope: system
// fragments: key_row
MATCH (k:Key {id: $id})
SET k.revokedAt = coalesce(k.revokedAt, $now)
RETURN key_row(k) AS key
