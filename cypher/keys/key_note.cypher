// purpose: end a key, or note that it was used, unless somebody just did
// params: id STRING, now ZONED DATETIME, before ZONED DATETIME
// returns: key MAP // [revoked]
// returns: nothing // [used]
// mode: write
// scope: system
// variants: revoked | used
// fragments: key_row
MATCH (k:Key {id: $id})
SET k.revokedAt = coalesce(k.revokedAt, $now) // [revoked]
RETURN key_row(k) AS key // [revoked]
// WHERE k.lastUsedAt IS NULL OR k.lastUsedAt <= $before // [used]
// SET k.lastUsedAt = $now // [used]
