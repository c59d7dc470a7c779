// purpose: note that a key was used, unless somebody just did
// params: id STRING, now ZONED DATETIME, before ZONED DATETIME
// returns: nothing
// mode: write
// scope: system
MATCH (k:Key {id: $id})
WHERE k.lastUsedAt IS NULL OR k.lastUsedAt <= $before
SET k.lastUsedAt = $now
